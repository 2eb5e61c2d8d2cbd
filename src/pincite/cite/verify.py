"""Quotes and answers of anyone, against what the library holds.

In: lines with quotes, an answer as JSON or Markdown, ways to find documents. Out: `QuoteCheck` and `NoteCheck`. Nothing is printed as
verified that does not stand in a document as it is quoted.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pincite.cite import markdown_answer, page_claims
from pincite.cite.claims import check
from pincite.cite.fold import tight
from pincite.cite.haystack import Haystacks
from pincite.cite.locate import Located, locate
from pincite.cite.printing import surroundings
from pincite.cite.reach import Reach
from pincite.cite.written import read
from pincite.errors import UsageError
from pincite.protocols import Evidence
from pincite.types import ClaimCheck, Document, NoteCheck, QuoteCheck, Span

_MARKS = re.compile(r"(?<!\\)(?:\[\^\d+\])+")


def verify_quotes(lines: Iterable[Mapping[str, Any]], reach: Reach) -> Iterator[QuoteCheck]:
    """Check `{"id", "quote", "source"?, "path"?}` lines, in order. Raises UsageError for a line without a quote.

    `ms` is the CPU time of the ladder in the documents that the line names; looking whether the words stand elsewhere is not in it.
    """
    haystacks = Haystacks()
    for number, line in enumerate(lines, 1):
        quote = line.get("quote")
        if not isinstance(quote, str):
            raise UsageError(f'Line {number} has no "quote". Each line is {{"id", "quote", "source"?, "path"?}}.')
        source, path = line.get("source"), line.get("path")
        held = reach.documents(source, path) if source or path else reach.elsewhere(quote)
        for each in held:
            haystacks.of(each)
        begun = time.thread_time()
        document, located = best(quote, held, haystacks)
        spent_ms = (time.thread_time() - begun) * 1000
        if (source or path) and not located.accepted and located.verdict == "absent":
            located = _found_elsewhere(quote, located, held, reach, haystacks)
        yield checked(str(line.get("id", number)), located, document, spent_ms)


def best(quote: str, documents: Sequence[Document], haystacks: Haystacks, near: Span | None = None) -> tuple[Document | None, Located]:
    """Return the document in which the quote fares best, and how."""
    found: tuple[Document | None, Located] = (None, Located("unverified", "absent"))
    for document in documents:
        located = locate(quote, haystacks.of(document), near=near)
        if located.accepted:
            return document, located
        if found[0] is None or _rank(located) > _rank(found[1]):
            found = (document, located)
    return found


def _rank(located: Located) -> tuple[bool, float]:
    return located.status == "near", located.score


def _found_elsewhere(quote: str, located: Located, held: Sequence[Document], reach: Reach, haystacks: Haystacks) -> Located:
    own = {d.id for d in held}
    others = [d for d in reach.elsewhere(quote) if d.id not in own]
    _, other = best(quote, others, haystacks)
    if not other.accepted:
        return located
    return Located("unverified", "found_elsewhere", located.span, located.pieces, located.score, ("place",), other.occurrences)


def checked(id: str, located: Located, document: Document | None, ms: float) -> QuoteCheck:
    """Return the line that is printed for a quote: its text is a slice of the document or absent."""
    span = located.span
    if span is None or document is None:
        return QuoteCheck(id, located.status, located.verdict, ms=ms, vetoes=located.vetoes)
    text = span.of(document.text)
    return QuoteCheck(
        id,
        located.status,
        located.verdict,
        span.start,
        span.end,
        text,
        ms,
        document=document.id,
        vetoes=located.vetoes,
        occurrences=located.occurrences,
    )


def verify_claims(lines: Iterable[Mapping[str, Any]], reach: Reach) -> Iterator[ClaimCheck]:
    """Check `{"id", "claim", "site"?, "path"?, "anchor"?}` lines against their pages. Raises UsageError for a line without a claim."""
    haystacks = Haystacks()
    for number, line in enumerate(lines, 1):
        claim = line.get("claim")
        if not isinstance(claim, str) or not claim.strip():
            raise UsageError(f'Line {number} has no "claim". Each line is {{"id", "claim", "site", "path", "anchor"}}.')
        source, path = line.get("site") or line.get("source"), line.get("path")
        held = reach.documents(source, path) if source or path else reach.elsewhere(claim)[:1]
        found = page_claims.judge(claim, held, line.get("anchor"), haystacks).asked(claim, reach.judge)
        yield ClaimCheck(str(line.get("id", number)), found.support, found.why)


def verify_answer(text: str, evidence: Evidence, reach: Reach) -> tuple[NoteCheck, ...]:
    """Check every note of an answer, given as Pincite's JSON or as anyone's Markdown. Raises UsageError for neither."""
    haystacks = Haystacks()
    if text.lstrip()[:1] == "{":
        try:
            answer = json.loads(text)
        except json.JSONDecodeError as error:
            raise UsageError(f"The answer looks like JSON and is not: {error}.") from error
        if not isinstance(answer, dict) or not isinstance(answer.get("citations"), list):
            raise UsageError('The answer has no "citations". `pincite ask --json` prints one that has.')
        for number, record in enumerate(answer["citations"], 1):
            _is_record(record, number)
        carried = _carried(answer, evidence, reach)
        return tuple(carried(_record(c, answer, evidence, reach, haystacks)) for c in answer["citations"])
    return tuple(markdown_answer.check(text, evidence, reach, haystacks))


def _is_record(record: object, number: int) -> None:
    """Raise UsageError for a citation that is none."""
    if not isinstance(record, dict):
        raise UsageError(f"Citation {number} of the answer is no object. `pincite ask --json` prints citations.")
    for name in ("quote", "claim", "snapshot"):
        if not isinstance(record.get(name), dict | None):
            raise UsageError(f'Citation {number} of the answer: "{name}" is no object. `pincite ask --json` prints citations.')


def _carried(answer: Mapping[str, Any], evidence: Evidence, reach: Reach) -> Callable[[NoteCheck], NoteCheck]:
    """Return a check of the sentences that an answer prints over each of its notes: they may say no more than the notes' blocks."""
    told = {str(c.get("n", "")): _around(str(c.get("id", "")), evidence, reach) for c in answer["citations"]}
    said: dict[str, dict[str, set[str]]] = {n: {} for n in told}
    for record in answer["citations"]:
        claim = str((record.get("claim") or {}).get("text", ""))
        for n in (str(c.get("n", "")) for c in answer["citations"] if (c.get("claim") or {}).get("text") == claim):
            said[n].setdefault(claim, set()).add(str(record.get("n", "")))
    for text, labels in _printed(str(answer.get("markdown", ""))):
        for n in labels & said.keys():
            said[n].setdefault(text, set()).update(labels)

    def carried(note: NoteCheck) -> NoteCheck:
        for sentence, labels in said[note.note].items() if note.holds else ():
            blocks = [told.get(label, "") for label in labels]
            if not all(blocks) or tight(sentence) in tight("\n".join(blocks)):
                continue
            judged = check(sentence, blocks, str(answer.get("query", "")))
            if judged.support == "failed":
                return replace(note, sentence=sentence, support="failed", why=judged.why)
        return note

    return carried


def _around(id: str, evidence: Evidence, reach: Reach) -> str:
    """Return what a reader sees of the blocks that a printed citation quotes, with their headings; empty where it is not known."""
    printed = reach.citation(id)
    if printed is None or evidence.document(printed.document) is None:
        return ""
    return surroundings(printed, evidence)


def _printed(markdown: str) -> Iterator[tuple[str, set[str]]]:
    """Yield the stretches of an answer's text that end with marks, and the labels of those."""
    for part in read(markdown).parts:
        at = 0
        for marks in _MARKS.finditer(part.text):
            text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", part.text[at : marks.start()])
            at = marks.end()
            yield " ".join(text.split()), set(re.findall(r"\[\^(\d+)\]", marks.group()))


def _record(record: Mapping[str, Any], answer: Mapping[str, Any], evidence: Evidence, reach: Reach, haystacks: Haystacks) -> NoteCheck:
    n, ref = str(record.get("n", "")), str(record.get("ref", ""))
    quote = record.get("quote") or {}
    words, claim = str(quote.get("text", "")), str((record.get("claim") or {}).get("text", ""))

    def note(located: Located, why: str, document: Document | None = None) -> NoteCheck:
        text = located.span.of(document.text) if located.span and document else None
        return NoteCheck(n, claim, 0, words, ref or None, located.status, located.verdict, "unchecked", why, text)

    capture = evidence.capture(ref)
    if capture is None:
        return note(Located("unverified", "absent"), f"the library holds no {ref or 'such capture'}")
    printed = reach.citation(str(record.get("id", "")))
    document = evidence.document(printed.document) if printed else evidence.document_of(capture.ref)
    if document is None:
        return note(Located("unverified", "absent"), f"{ref} has no text")
    snapshot = (record.get("snapshot") or {}).get("id")
    if snapshot not in (None, "", capture.snapshot):
        return note(Located("unverified", "absent"), f"{ref} names another snapshot than {snapshot}")
    if f"[^{n}]" not in str(answer.get("markdown", f"[^{n}]")) and "[^" in str(answer.get("markdown", "")):
        return note(Located("unverified", "absent"), f"the note {n} is not used in the text")
    if printed is not None and words == printed.span.of(document.text) and str(quote.get("visible", printed.visible)) == printed.visible:
        return note(Located("exact", "exact", printed.span, (printed.span,), 100.0, (), 1), "", document)
    located = locate(words, haystacks.of(document))
    shown = str(quote.get("visible") or words)
    if located.accepted and shown != words:
        located = locate(shown, haystacks.of(document))
    return note(located, ", ".join(located.vetoes), document)
