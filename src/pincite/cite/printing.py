"""How an answer looks: bodies, marks, notes, refusals.

In: verified citations and labels. Out: Markdown. Text of a snapshot is made harmless here: it can't mint a footnote, an image or a link.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.cite.labels import Labels
from pincite.protocols import Evidence
from pincite.types import AskOptions, Block, Citation, Claim, Document, SearchResult, Span
from pincite.urls import is_web

MAX_WORD = 80
"""Characters of an unknown word that a refusal repeats."""
MAX_SURROUNDINGS = 4000
"""Characters of quoted blocks that a claim is compared with; a longer block counts by its quote alone."""
_MINTED = re.compile(r"\\(?=[!-/:-@\[-`{-~]|$)|\[(?=\^)|\^(?=\[)|!(?=\[)|\](?=[(\[:])|<(?=[A-Za-z/!?])")

_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\udc80-\udcff]")
_RISKY = re.compile(f"{_CONTROLS.pattern}|[][<>\\s]")
_BAR = re.compile(r"(?<!\\)\|")
_DELIMITERS = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?|\|?\s*:?-{3,}:?\s*")


def harmless(text: str) -> str:
    """Escape what would be a footnote mark, an image, a link, a tag or an escape in Markdown; all else stays as it is."""
    return _MINTED.sub(lambda m: "\\" + m.group(), text)


def body(claim: Claim, citations: Sequence[Citation], evidence: Evidence, *, extractive: bool) -> str:
    """Return what is printed for a claim: the snapshot's own text for an extractive one, the model's sentence, made harmless, else."""
    if not extractive:
        return fenced(claim.text, claim.language) if claim.kind == "code" else harmless(" ".join(claim.text.split()))
    parts = []
    for citation in citations:
        document = evidence.document(citation.document)
        assert document is not None, "a citation was made from its document"
        parts.append(passage(document, citation.span))
    return "\n\n".join(parts)


def passage(document: Document, span: Span) -> str:
    """Return the span as Markdown by its blocks: paragraphs as visible text, items with a bullet, code in a fence of our own."""
    if document.kind == "code":
        return fenced(span.of(document.text).strip("\n"), document.code_language)
    parts: list[tuple[str, str]] = []
    for block in document.blocks_in(span) or (Block("b0", "paragraph", span, 0),):
        part = Span(max(span.start, block.span.start), min(span.end, block.span.end))
        text = document.visible(part)
        if block.kind == "code":
            parts.append(("code", fenced(text.strip("\n"), block.language or "")))
        elif block.kind == "table":
            parts.append(("table", _table(document, part)))
        elif block.kind == "list_item":
            parts.append(("item", "- " + harmless(" ".join(text.split()).removeprefix("- ").removeprefix("* "))))
        elif block.kind == "heading":
            continue
        else:
            parts.append(("text", harmless(" ".join(text.split()))))
    out = ""
    for i, (kind, text) in enumerate(parts):
        out += ("" if i == 0 else "\n" if kind == "item" == parts[i - 1][0] else "\n\n") + text
    return out


def _table(document: Document, part: Span) -> str:
    """Return rows as a reader sees them, between the bars that make them a table; rows without their head get an empty one."""
    text, rows = document.text, []
    shown = frozenset(i for run in document.visible_parts(part) for i in range(run.start, run.end))
    at = part.start
    for line in part.of(text).split("\n"):
        cells = [""]
        for i in range(at, at + len(line)):
            if text[i] == "|" and (i == 0 or text[i - 1] != "\\"):
                cells.append("")
            elif i in shown:
                cells[-1] += text[i]
        bare = line.strip()
        if _DELIMITERS.fullmatch(bare):
            rows.append(bare)
        elif bare:
            kept = cells[bare.startswith("|") : len(cells) - (bare.endswith("|") and not bare.endswith("\\|"))]
            rows.append("| " + " | ".join(harmless(" ".join(cell.split())).replace("|", "\\|") for cell in kept) + " |")
        at += len(line) + 1
    if not any(row is not rows[0] and _DELIMITERS.fullmatch(row) for row in rows[:2]):
        width = max((len(_BAR.findall(row)) - 1 for row in rows), default=1)
        rows[:0] = ["|" + "  |" * width, "|" + " --- |" * width]
    return "\n".join(rows)


def surroundings(citation: Citation, evidence: Evidence) -> str:
    """Return what a reader sees of the blocks that a quote stands in, with the headings above them."""
    document = evidence.document(citation.document)
    assert document is not None, "a citation was made from its document"
    blocks = document.blocks_in(citation.span)
    span = Span(blocks[0].span.start, blocks[-1].span.end) if blocks else citation.span
    if len(span) > MAX_SURROUNDINGS:
        span = citation.span
    return "\n".join((*citation.heading, document.visible(span)))


def fenced(code: str, language: str) -> str:
    """Return code in a fence that the code itself can't close."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * max(3, longest + 1)
    return fence + re.sub(r"[^\w+#.-]", "", language) + f"\n{code}\n{fence}"


def with_marks(text: str, citations: Sequence[Citation], options: AskOptions, words: Labels) -> str:
    """Append the notes' marks, or the inline sources, to a printed body."""
    if options.notes == "inline":
        marks = " " + " ".join(dict.fromkeys(words.inline.format(url=address(c)) for c in citations))
    else:
        marks = "".join(dict.fromkeys(f"[^{c.n}]" for c in citations))
    return text + ("\n" + marks.strip() if text.endswith("```") or text.rstrip().endswith("|") else marks)


def address(citation: Citation) -> str:
    """Return where a reader goes: the deep link of a web page, `path:line` of a file."""
    if is_web(citation.capture.url):
        return _one_word(citation.deep_link)
    return _one_line(citation.capture.path) + (f":{citation.line}" if citation.line else "")


def _one_word(url: str) -> str:
    """Return a URL in which nothing behind the host can end its line or mint a mark of Markdown."""
    host, slash, rest = url.partition("://")[2].partition("/")
    scheme = url.partition("://")[0]
    return f"{scheme}://{host}{slash}" + _RISKY.sub(_percent, rest) if slash else _CONTROLS.sub(_percent, url)


def _one_line(path: str) -> str:
    """Return a path that can't end its line or mint a mark; what can't be shown is percent-encoded."""
    return harmless(_CONTROLS.sub(_percent, path))


def _percent(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8", "surrogateescape"))


def notes(citations: Sequence[Citation], options: AskOptions, words: Labels) -> str:
    """Return one footnote line a citation, in the order of their numbers."""
    return "\n".join(note(c, options, words) for c in citations)


def note(citation: Citation, options: AskOptions, words: Labels) -> str:
    """Return the footnote line that CITATIONS.md prints."""
    trail = " › ".join(_line(h) for h in citation.heading if h.strip())
    paragraph = words.paragraph.format(n=citation.paragraph) if citation.paragraph else ""
    place = ""
    if trail:
        place = words.place.format(heading=trail) + ((", " if words.separator == ", " else "") + paragraph if paragraph else "")
    elif paragraph:
        place = " · " + paragraph
    at = citation.capture.fetched_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    text = words.note.format(title=_line(citation.title), url=address(citation), place=place, at=at, ref=citation.capture.ref)
    if options.quotes:
        text += words.quote.format(quote=_line(citation.visible))
    return f"[^{citation.n}]: {text}"


def _line(text: str) -> str:
    return harmless(" ".join(text.split()))


def shortened(word: str) -> str:
    """Return a word of a question as a refusal repeats it: a very long one cut."""
    return word if len(word) <= MAX_WORD else word[:MAX_WORD] + "…"


def refusal(result: SearchResult, words: Labels) -> str:
    """Return the sentences of an abstention."""
    lines = [words.nothing]
    if result.unknown_terms:
        lines.append(words.unknown.format(words=words.separator.join(_line(shortened(t)) for t in result.unknown_terms)))
    nearest = dict.fromkeys(f"{_line(p.title)} ({_one_word(p.url) if is_web(p.url) else _one_line(p.path)})" for p in result.passages[:3])
    if nearest:
        lines.append(words.nearest.format(sources=words.separator.join(nearest)))
    return (" " if words.separator == ", " else "").join(lines)
