"""Anyone's answer in Markdown, sentence by sentence.

In: Markdown with `[^n]` notes or bare links, ways to find documents. Out: one `NoteCheck` for each sentence and note. A note's quote is
what it has in quotation marks; a note without one vouches for the quotation, or else the words, of the sentence that it stands behind.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from urllib.parse import unquote, urldefrag

from pincite.cite import turned
from pincite.cite.claims import check as check_claim
from pincite.cite.facts import stems
from pincite.cite.haystack import Haystacks
from pincite.cite.locate import Located, locate
from pincite.cite.page_claims import judge
from pincite.cite.reach import Reach
from pincite.cite.units import Unit, nearest, units
from pincite.cite.written import MASK, Kind, Part, read
from pincite.protocols import Evidence
from pincite.sentences import sentences
from pincite.types import Document, NoteCheck, Span, Support

_MARK = re.compile(r"(?<!\\)\[\^([^\]\s]{1,200})\]")
_REF = re.compile(r"\bREF-[0-9a-hjkmnp-tv-z]{6,8}\b", re.I)
_URL = re.compile(r"(?:https?|file)://[^\s<>\"'“”«»」』）]+")
_WRAPPED = re.compile(rf"[(\[*_`]{{0,4}}{_URL.pattern}")
_SOURCE = rf"(?:\[\^[^\]\s]{{1,200}}\]|\[[^\]\[]{{1,1000}}\]\([^)\s]{{0,4000}}\)|[(\[<*_`（【「]{{0,4}}{_URL.pattern})"
_LEAD = (
    r"(?:(?:—|–|--?|see|cf\.?|via|from|sources?|quellen?|siehe|vgl\.?|voir|fuente|ver|来源|参见|出典|参照|출처)"
    r"\s{0,5}[:：]?\s{0,5}){0,2}"
)
_TAIL = re.compile(rf"\s{{0,20}}[(（]?{_LEAD}(?:\s{{0,20}}{_SOURCE}(?:\s{{0,5}}(?:and|und|et|y|[,;、，]))?)+[.\s)\]>）】」。]*", re.I)
"""What belongs to the sentence before it: notes, links, addresses."""
_AFTER = re.compile(rf"(?<=[.!?。！？*_\"”])(?:\s{{0,9}}{_LEAD}\[[^\]\[]{{1,1000}}\]\(https?://[^)\s]{{1,4000}}\))+\s*$", re.I)
"""Links behind a sentence's end: their words are none of the sentence's."""
_BETWEEN = re.compile(
    rf"(?<=[.!?。！？])(?:\[\^[^\]\s]{{1,200}}\]|\[[^\]\[]{{1,1000}}\]\(https?://[^)\s]{{1,4000}}\)|[(（]\s?{_URL.pattern}[)）])+(?:\s+|(?<=[^\x00-\x7f]))?(?=\S)"
)
_NAMELESS = re.compile(r"\W*(?:\d{1,3}|source|sources|link|here|quelle|来源|出典|출처|fuente)?\W*", re.I)
"""What a link is called that says nothing of the sentence."""
_LEADS = re.compile(r"[:：](?:\[\^[^\]\s]{1,200}\]|\s)*$|[:：]\s*\[[^\]\[]{1,1000}\]\([^)\s]{1,4000}\)\s*$")
MOST_SOURCES = 8
"""Addresses of one note that are looked at."""
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
    urls: tuple[str, ...]
    quote: str | None

    @property
    def empty(self) -> bool:
        """Say whether it names nothing."""
        return self.ref is None and not self.urls and self.quote is None


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence, a row or a quoted block as it is written, its line, and the sources that stand behind it."""

    text: str
    line: int
    kind: Kind
    words: str = ""
    """The code or the quote block that it leads into, which is what its sources vouch for."""
    behind: str = ""
    """The sources of code, which stand behind it."""

    @property
    def sources(self) -> str:
        """Where its notes and links stand."""
        return self.behind if self.kind == "code" else self.text


def check(
    text: str,
    evidence: Evidence,
    reach: Reach,
    haystacks: Haystacks,
) -> Iterator[NoteCheck]:
    """Yield a finding for each sentence and note, in the order of the text; dangling and unused notes are findings too."""
    written = read(text)
    notes = {label: _note(label, said) for label, said in written.notes.items()}
    used: set[str] = set()
    checker = Checker(evidence, reach, haystacks)
    for statement in statements(written.parts):
        for note in _notes_of(statement.sources, notes):
            used.add(note.label.casefold())
            if note.empty:
                yield _refused(note, statement, _plain(statement.text), "", "the note is missing or names no source")
            else:
                yield checker.checked(note, statement)
    for label, note in notes.items():
        if label not in used:
            yield _refused(note, Statement("", 0, "text"), "", note.quote or "", "the note is not used in the text")


def _refused(note: Note, statement: Statement, plain: str, words: str, why: str) -> NoteCheck:
    return NoteCheck(note.label, plain, statement.line, words, note.ref, "unverified", "absent", "unchecked", why)


def _note(label: str, text: str) -> Note:
    ref, urls = _REF.search(text), tuple(dict.fromkeys(_bare(m.group()) for m in _URL.finditer(text)))[:MOST_SOURCES]
    quotes = [next(g for g in m.groups() if g) for m in _QUOTED.finditer(_URL.sub(" ", text))]
    quote = max(quotes, key=len) if quotes else next(filter(None, map(_fragment, urls)), None)
    return Note(label, ref.group() if ref else None, urls, quote)


def _fragment(url: str) -> str | None:
    """Return the words that a text fragment quotes; None for one that only says where they begin and end."""
    parts = [part for part in url.partition(":~:text=")[2].split("&")[0].split(",") if part]
    parts = parts[parts[:1] != [] and parts[0].endswith("-") :]
    parts = parts[: len(parts) - (parts[-1:] != [] and parts[-1].startswith("-"))]
    return unquote(parts[0]) if len(parts) == 1 else None


def _bare(url: str) -> str:
    """Return a URL without what belongs to the sentence around it: marks at its end, and a bracket that it does not open."""
    while url and (url[-1] in ".,;:!?*_`" or (url[-1] in ")]" and url.count(url[-1]) > url.count("(["[")]".index(url[-1])]))):
        url = url[:-1]
    return url


def _notes_of(sentence: str, notes: dict[str, Note]) -> list[Note]:
    found = [notes.get(m.group(1).casefold(), Note(m.group(1), None, (), None)) for m in _MARK.finditer(sentence)]
    for match in _INLINE.finditer(sentence):
        target = next(g for g in (match.group(1), match.group(3), match.group(4)) if g)
        found.append(_note(target, target))
    if not found:
        found += [_note(_bare(m.group()), m.group()) for m in _URL.finditer(sentence)]
    return list(dict.fromkeys(found))


def statements(parts: Sequence[Part]) -> Iterator[Statement]:
    """Yield what an answer says, piece by piece; a source on a line of its own belongs to the piece before it."""
    waiting: Statement | None = None
    for part in parts:
        pieces = list(_sentences(part))
        for at, piece in enumerate(pieces):
            if waiting and at == 0 and len(piece.text) <= MOST_CHARS and _TAIL.fullmatch(piece.text):
                if waiting.kind == "code":
                    waiting = replace(waiting, behind=f"{waiting.behind} {piece.text}")
                else:
                    waiting = replace(waiting, text=f"{waiting.text} {piece.text}")
            elif (
                waiting
                and part.kind in ("code", "quote")
                and (waiting.text.rstrip(" *_)]").endswith((":", "：")) or _LEADS.search(waiting.text))
            ):
                waiting = replace(waiting, words=piece.text) if not _sourced(piece) and _sourced(waiting) else piece
            else:
                yield from filter(None, [waiting])
                waiting = piece
    yield from filter(None, [waiting])


def _sourced(statement: Statement) -> bool:
    return bool(_MARK.search(statement.sources) or _URL.search(statement.sources))


def _sentences(part: Part) -> Iterator[Statement]:
    """Yield the sentences of a part, each with its marks and its line."""
    text = part.text
    if part.kind in ("row", "code"):
        yield Statement(text, part.line, part.kind)
        return
    merged: list[Span] = []
    for cut in (piece for whole in sentences(text) for piece in _after_marks(text, whole)):
        if merged and len(cut) <= MOST_CHARS and _TAIL.fullmatch(cut.of(text)):
            merged[-1] = Span(merged[-1].start, cut.end)
        else:
            leading = re.match(r"(?:\[\^[^\]]+\]\s*)+", cut.of(text))
            if merged and leading:
                merged[-1] = Span(merged[-1].start, cut.start + leading.end())
                cut = Span(cut.start + leading.end(), cut.end)
            merged.append(cut)
    if part.kind == "quote" and merged and not any(_TAIL.fullmatch(cut.of(text)) for cut in merged):
        merged = [Span(merged[0].start, merged[-1].end)]
    line, at = part.line, 0
    for cut in merged:
        line, at = line + text.count("\n", at, cut.start), cut.start
        yield Statement(cut.of(text), line, part.kind)


def _after_marks(text: str, cut: Span) -> Iterator[Span]:
    """Cut once more behind sources that follow a sentence's end: `One.[^1] Two.[^2]`, `一。（URL）二。`."""
    start = cut.start
    for match in _BETWEEN.finditer(text, cut.start, cut.end):
        yield Span(start, match.end())
        start = match.end()
    yield Span(start, cut.end)


def _plain(sentence: str) -> str:
    """Return the sentence without its notes, links' targets and bare addresses."""
    sentence = _AFTER.sub("", sentence)
    text = _INLINE.sub(lambda m: "" if _NAMELESS.fullmatch(m.group(2) or "") else m.group(2), _MARK.sub("", sentence))
    text = re.sub(r"[(（]\s*[)）]|\\\[\^\w{1,20}\]", "", _WRAPPED.sub("", text)).replace(MASK, "^")
    return re.sub(rf"[\s,(]*(?:\b{_LEAD}|[—–-])?[()\s]*$", "", " ".join(text.split()), flags=re.I) or " ".join(text.split())


class Checker:
    """Checks notes against what the library holds; the sentences of a page are cut once."""

    def __init__(self, evidence: Evidence, reach: Reach, haystacks: Haystacks) -> None:
        self._evidence, self._reach, self._haystacks = evidence, reach, haystacks
        self._held: dict[Note, tuple[Document, ...]] = {}
        self._units: dict[tuple[str, ...], list[Unit]] = {}

    def held(self, note: Note) -> tuple[Document, ...]:
        """Return the documents that a note names."""
        if note not in self._held:
            self._held[note] = tuple(self._documents(note))
        return self._held[note]

    def _documents(self, note: Note) -> Iterator[Document]:
        if note.ref:
            document = self._evidence.document_of("REF-" + note.ref[4:])
            yield from filter(None, [document])
            return
        for bare in dict.fromkeys(urldefrag(url)[0] for url in note.urls):
            found = [d for c in self._evidence.captures(bare)[:1] if (d := self._evidence.document_of(c.ref))]
            yield from found or self._reach.documents(None, bare)

    def checked(self, note: Note, statement: Statement) -> NoteCheck:
        """Check one statement by one of its notes."""
        plain = _plain(statement.text) if statement.kind != "code" else statement.text
        quoted = [next(g for g in m.groups() if g) for m in _QUOTED.finditer(plain)] if statement.kind != "code" else []
        words = note.quote or statement.words or (max(quoted, key=len) if quoted else plain)
        if len(words) > MOST_CHARS:
            return _refused(note, statement, plain[:200], words[:200], "it is too long for a quote")
        held = self.held(note)
        if not held:
            return _refused(note, statement, plain, words, "the library does not hold that source")
        found, where = _best(words, held, self._haystacks)
        given = note.quote is not None or bool(statement.words or quoted) or statement.kind in ("code", "quote")
        text = found.span.of(where.text) if found.span else None
        if not found.accepted and given and found.verdict == "absent" and self._stands_elsewhere(words, held):
            found = Located("unverified", "found_elsewhere", found.span, found.pieces, found.score, ("place",))
        support, why = self._supported(note, statement, plain, words, held, found, where, given)
        shown = words if given or found.accepted else ""
        return NoteCheck(note.label, plain, statement.line, shown, note.ref, found.status, found.verdict, support, why, text)

    def _stands_elsewhere(self, words: str, held: Sequence[Document]) -> bool:
        own = {d.id for d in held}
        return any(locate(words, self._haystacks.of(d)).accepted for d in self._reach.elsewhere(words) if d.id not in own)

    def _supported(
        self,
        note: Note,
        statement: Statement,
        plain: str,
        words: str,
        held: Sequence[Document],
        found: Located,
        where: Document,
        given: bool,
    ) -> tuple[Support, str]:
        """Say whether the statement is carried, and why not."""
        if found.accepted and found.span is not None:
            if words == plain or statement.words:
                return "unchecked", ", ".join(found.vetoes)
            judged = check_claim(plain, [where.visible(_blocks(where, found.span))]).asked(plain, self._reach.judge)
            return judged.support, judged.why
        if given:
            why = "the words stand on another page" if found.verdict == "found_elsewhere" else ", ".join(found.vetoes)
            return "unchecked", why
        if found.verdict == "truncated_condition" and found.score == 100:
            return "failed", "it leaves out the condition of its sentence"
        anchor = next((a for url in note.urls if (a := urldefrag(url)[1].partition(":~:")[0])), None)
        judged = judge(plain, held, anchor, self._haystacks)
        if judged.support != "failed" and (turned := self._turned(statement, plain, held)):
            return "failed", turned
        judged = judged.asked(plain, self._reach.judge)
        return judged.support, judged.why or "no quote; the words do not stand there as they are"

    def _turned(self, statement: Statement, plain: str, held: Sequence[Document]) -> str:
        """Compare a statement that quotes nothing with the sentence of the page that it is nearest to; a row with the rows."""
        key = tuple(document.id for document in held)
        if key not in self._units:
            self._units[key] = [unit for document in held for unit in units(document, None)]
        found = self._units[key]
        if statement.kind == "row":
            cells = set(stems(plain))
            together = any(cells <= unit.stems for unit in found)
            return "" if together else "its cells do not stand together on the page"
        near = nearest(plain, found)
        around = "\n".join(document.visible(Span(0, len(document.text))) for document in held)
        return turned.reason(plain, [near[0].unit.text], around) if near else ""


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
