"""Anyone's answer in Markdown, sentence by sentence.

In: Markdown with `[^n]` notes or bare links, ways to find documents. Out: one `NoteCheck` for each sentence and note. A note's quote is
what it has in quotation marks; a note without one vouches for the quotation, or else the words, of the sentence that it stands behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urldefrag

from pincite.cite.claims import check as check_claim
from pincite.cite.haystack import Haystacks
from pincite.cite.locate import Located, locate
from pincite.cite.page_claims import judge
from pincite.cite.reach import Reach
from pincite.protocols import Evidence
from pincite.sentences import sentences
from pincite.types import Document, NoteCheck, Span, Support

_DEFINITION = re.compile(r"^\[\^([^\]\s]+)\]:[ \t]*(.*(?:\n(?:[ \t]{2,}|\t).+)*)", re.M)
_MARK = re.compile(r"(?<!\\)\[\^([^\]\s]{1,200})\]")
_REF = re.compile(r"\bREF-[0-9a-hjkmnp-tv-z]{6,8}\b", re.I)
_URL = re.compile(r"(?:https?|file)://[^\s<>\"'“”«»」』）]+")
_WRAPPED = re.compile(rf"[(\[*_`]{{0,4}}{_URL.pattern}")
_TAIL = re.compile(
    rf"(?:\s{{0,20}}(?:\[\^[^\]\s]{{1,200}}\]|\[[^\]\[]{{1,1000}}\]\([^)\s]{{0,4000}}\)|[(\[<*_`]{{0,4}}{_URL.pattern}))+[.\s)\]>]*"
)
"""What belongs to the sentence before it: notes, links, addresses."""
_AFTER = re.compile(r"(?<=[.!?。！？])(?:\s{0,9}\[[^\]\[]{1,1000}\]\(https?://[^)\s]{1,4000}\))+\s*$")
"""Links behind a sentence's end: their words are none of the sentence's."""
MOST_CHARS = 10_000
"""Longer sentences are no sentences, and longer words no quotes."""
_QUOTED = re.compile(
    r"“([^”]{1,9000})”|„([^“”]{1,9000})[“”]|«\s{0,9}([^»]{1,9000}?)\s{0,9}»|「([^」]{1,9000})」|『([^』]{1,9000})』|\"([^\"]{1,9000})\""
)
_INLINE = re.compile(
    r"\[(?:source|来源|出典|출처|Quelle|source |fuente)\s*[:：]\s{0,9}([^\]]{1,2000})\]|\[([^\]^[]{1,1000})\]\((https?://[^)\s]{1,4000})\)|<(https?://[^>\s]{1,4000})>",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Note:
    """What a note says: where, and perhaps which words."""

    label: str
    ref: str | None
    url: str | None
    quote: str | None


def check(
    text: str,
    evidence: Evidence,
    reach: Reach,
    haystacks: Haystacks,
) -> Iterator[NoteCheck]:
    """Yield a finding for each sentence and note, in the order of the text; dangling and unused notes are findings too."""
    notes = {m.group(1): _note(m.group(1), m.group(2)) for m in _DEFINITION.finditer(text)}
    body = _DEFINITION.sub(lambda m: "\n" * m.group().count("\n"), text)
    used: set[str] = set()
    for sentence, line in _sentences(body):
        for note in _notes_of(sentence, notes):
            used.add(note.label)
            if note.ref is None and note.url is None and note.quote is None:
                yield NoteCheck(
                    note.label,
                    _plain(sentence),
                    line,
                    "",
                    None,
                    "unverified",
                    "absent",
                    "unchecked",
                    "the note is missing or names no source",
                )
                continue
            yield _checked(note, sentence, line, evidence, reach, haystacks)
    for label, note in notes.items():
        if label not in used:
            yield NoteCheck(
                label, "", 0, note.quote or "", note.ref, "unverified", "absent", "unchecked", "the note is not used in the text"
            )


def _note(label: str, text: str) -> Note:
    ref, url = _REF.search(text), _URL.search(text)
    quotes = [next(g for g in m.groups() if g) for m in _QUOTED.finditer(_URL.sub(" ", text))]
    fragment = unquote(url.group().partition(":~:text=")[2].split("&")[0]) if url else ""
    quote = max(quotes, key=len) if quotes else None
    if quote is None and fragment and "," not in fragment:
        quote = fragment
    return Note(label, ref.group() if ref else None, _bare(url.group()) if url else None, quote)


def _bare(url: str) -> str:
    """Return a URL without what belongs to the sentence around it: marks at its end, and a bracket that it does not open."""
    while url and (url[-1] in ".,;:!?*_`" or (url[-1] in ")]" and url.count(url[-1]) > url.count("(["[")]".index(url[-1])]))):
        url = url[:-1]
    return url


def _notes_of(sentence: str, notes: dict[str, Note]) -> list[Note]:
    found = [notes.get(m.group(1), Note(m.group(1), None, None, None)) for m in _MARK.finditer(sentence)]
    for match in _INLINE.finditer(sentence):
        target = next(g for g in (match.group(1), match.group(3), match.group(4)) if g)
        found.append(_note(target, target))
    if not found:
        found += [_note(_bare(m.group()), m.group()) for m in _URL.finditer(sentence)]
    return list(dict.fromkeys(found))


def _sentences(body: str) -> Iterator[tuple[str, int]]:
    """Yield the sentences that carry a note, each with its marks and its line."""
    for paragraph in re.finditer(r"(?:(?!\n[ \t]*\n).)+", body, re.S):
        text = paragraph.group()
        cuts = [part for cut in sentences(text) for part in _after_marks(text, cut)]
        merged: list[Span] = []
        for cut in cuts:
            if merged and len(cut) <= MOST_CHARS and _TAIL.fullmatch(cut.of(text)):
                merged[-1] = Span(merged[-1].start, cut.end)
            else:
                leading = re.match(r"(?:\[\^[^\]]+\]\s*)+", cut.of(text))
                if merged and leading:
                    merged[-1] = Span(merged[-1].start, cut.start + leading.end())
                    cut = Span(cut.start + leading.end(), cut.end)
                merged.append(cut)
        for cut in merged:
            yield cut.of(text), body.count("\n", 0, paragraph.start() + cut.start) + 1


def _after_marks(text: str, cut: Span) -> Iterator[Span]:
    """Cut once more behind notes that follow a sentence's end: `One.[^1] Two.[^2]`."""
    start = cut.start
    for match in re.finditer(r"(?<=[.!?。！？])(?:\[\^[^\]\s]+\])+\s+(?=\S)", text[: cut.end]):
        if match.start() > start:
            yield Span(start, match.end())
            start = match.end()
    yield Span(start, cut.end)


def _plain(sentence: str) -> str:
    """Return the sentence without its notes, links' targets and bare addresses."""
    sentence = _AFTER.sub("", sentence)
    text = _WRAPPED.sub("", _INLINE.sub(lambda m: m.group(2) or "", _MARK.sub("", sentence)))
    return re.sub(r"[\s,(]*(?:\b(?:see|cf\.?|source:?)\s*)?[()\s]*$", "", " ".join(text.split())) or " ".join(text.split())


def _held(note: Note, evidence: Evidence, reach: Reach) -> Sequence[Document]:
    if note.ref:
        document = evidence.document_of(note.ref.replace("ref-", "REF-"))
        return (document,) if document else ()
    if note.url:
        bare = urldefrag(note.url)[0]
        held = [d for c in evidence.captures(bare)[:1] if (d := evidence.document_of(c.ref))]
        return held or reach.documents(None, bare)
    return ()


def _checked(
    note: Note,
    sentence: str,
    line: int,
    evidence: Evidence,
    reach: Reach,
    haystacks: Haystacks,
) -> NoteCheck:
    plain = _plain(sentence)
    quoted = [next(g for g in m.groups() if g) for m in _QUOTED.finditer(plain)]
    words = note.quote or (max(quoted, key=len) if quoted else plain)
    if len(words) > MOST_CHARS:
        return NoteCheck(
            note.label, plain[:200], line, words[:200], note.ref, "unverified", "absent", "unchecked", "it is too long for a quote"
        )
    held = _held(note, evidence, reach)
    if not held:
        return NoteCheck(
            note.label, plain, line, words, note.ref, "unverified", "absent", "unchecked", "the library does not hold that source"
        )
    found, where = _best(words, held, haystacks)
    why, text = ", ".join(found.vetoes), found.span.of(where.text) if found.span else None
    support: Support = "unchecked"
    given = note.quote is not None or bool(quoted)
    if found.accepted and found.span is not None and words != plain:
        judged = check_claim(plain, [where.visible(_blocks(where, found.span))]).asked(plain, reach.judge)
        support, why = judged.support, judged.why
    elif not found.accepted and not given:
        judged = judge(plain, held, urldefrag(note.url or "")[1].partition(":~:")[0] or None, haystacks).asked(plain, reach.judge)
        support, why = judged.support, judged.why or "no quote; the words do not stand there as they are"
    elif not found.accepted and found.verdict == "absent":
        own = {d.id for d in held}
        if any(locate(words, haystacks.of(d)).accepted for d in reach.elsewhere(words) if d.id not in own):
            found = Located("unverified", "found_elsewhere", found.span, found.pieces, found.score, ("place",))
            why = "the words stand on another page"
    shown = words if given or found.accepted else ""
    return NoteCheck(note.label, plain, line, shown, note.ref, found.status, found.verdict, support, why, text)


def _best(words: str, held: Sequence[Document], haystacks: Haystacks) -> tuple[Located, Document]:
    """Return how the words fare in the document that they fare best in."""
    found, where = Located("unverified", "absent"), held[0]
    for document in held:
        located = locate(words, haystacks.of(document))
        if located.accepted:
            return located, document
        if located.score > found.score:
            found, where = located, document
    return found, where


def _blocks(document: Document, span: Span) -> Span:
    """Return the span of the blocks that a quote stands in."""
    blocks = document.blocks_in(span)
    return Span(blocks[0].span.start, blocks[-1].span.end) if blocks else span
