"""An answer without a model: the best passages' own sentences.

In: a question, its passages, the documents. Out: `Draft`, one claim a passage, each resting on one span of its document: whole sentences,
list items with the sentence that leads in, code with its sentence, a function by its signature and doc comment. The same input gives the
same draft.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answer import choosing, code
from pincite.answer.terms import cover, question_terms, weights, words
from pincite.protocols import Evidence
from pincite.sentences import sentences
from pincite.types import AskOptions, Block, Claim, Document, Draft, DraftQuote, Passage, SearchResult, Span

_PROSE = ("paragraph", "term", "quote", "html", "figure")
_SKIPPED = ("heading", "front_matter")
_STOPS = tuple(".!?:;…。！？：；)」』")
ENOUGH_CHARS: Final = 160
"""A shorter quote takes the next block of its section along, whatever that speaks of."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A piece that is printed whole or not at all: a sentence, an item, a code block, a table."""

    span: Span
    block: Block
    text: str
    terms: frozenset[str]


def draft(question: str, result: SearchResult, evidence: Evidence, options: AskOptions) -> Draft:
    """Quote the best passages; an empty draft where what was found does not cover the question."""
    if result.answerable < options.floor:
        return Draft(())
    claims = []
    for made in _chosen_of(question, result, evidence, options):
        quote = DraftQuote(made.visible, made.passage.id, made.passage.block, made.document.id, made.span)
        code_language = made.document.code_language
        claims.append(Claim(made.visible, (quote,), "code" if made.document.kind == "code" else "sentence", code_language))
    return Draft(tuple(claims))


def ordered(question: str, result: SearchResult, evidence: Evidence, options: AskOptions) -> tuple[Passage, ...]:
    """Return all passages, those that an answer without a model would quote first: a model, too, leans on what it reads first."""
    first = tuple(made.passage for made in _chosen_of(question, result, evidence, options))
    taken = {p.id for p in first}
    return (*first, *(p for p in result.passages if p.id not in taken))


def _chosen_of(question: str, result: SearchResult, evidence: Evidence, options: AskOptions) -> tuple[choosing.Candidate, ...]:
    terms = question_terms(question)
    found = list(_candidates(terms, result, evidence, options))
    return choosing.chosen(found, weights(terms, [c.terms for c in found]), options.passages)


def _candidates(terms: frozenset[str], result: SearchResult, evidence: Evidence, options: AskOptions) -> Iterator[choosing.Candidate]:
    """Yield what each of the first passages would print; nothing twice."""
    taken: list[tuple[str, Span]] = []
    printed: set[str] = set()
    for passage in result.passages[: max(choosing.DEPTH, options.passages)]:
        document = evidence.document(passage.document)
        if document is None or any(d == document.id and s.start < passage.end and passage.start < s.end for d, s in taken):
            continue
        span = _chosen(document, passage, terms, options)
        if span is None:
            continue
        visible = document.visible(span)
        if (words_only := " ".join(visible.split())) in printed:
            continue
        printed.add(words_only)
        taken.append((document.id, span))
        seen = frozenset(words("\n".join((visible, *passage.heading[-1:]))))
        yield choosing.Candidate(passage, document, span, visible, seen & terms)


def _chosen(document: Document, passage: Passage, terms: frozenset[str], options: AskOptions) -> Span | None:
    if document.kind == "code":
        return code.excerpt(document, Span(passage.start, passage.end), options.passage_chars)
    units = _units(document, Span(passage.start, passage.end))
    if not units:
        return None
    weighted = weights(terms, [u.terms for u in units])
    scores = [cover(u.terms, weighted) * (0.5 if _is_label(u) else 1.0) + (0.01 if u.block.kind in _PROSE else 0.0) for u in units]
    best = max(range(len(units)), key=lambda i: (scores[i], -i))
    if units[best].block.kind == "table":
        return _rows(units, scores, best, options.passage_chars)
    first = _with_lead(units, best)
    last = _with_rest(units, first, best, options.passage_chars, [cover(u.terms, weighted) for u in units])
    size = sum(len(u.text) for u in units[first : last + 1])
    while first > 0 and units[first - 1].block.id == units[first].block.id and size + len(units[first - 1].text) <= options.passage_chars:
        first -= 1
        size += len(units[first].text)
    return Span(units[first].span.start, units[last].span.end)


def _rows(units: Sequence[Unit], scores: Sequence[float], best: int, limit_chars: int) -> Span:
    """Return the best row with the rows beside it that say as much."""
    first = last = best
    size = len(units[best].text)
    for step in (-1, 1):
        at = best + step
        while 0 <= at < len(units) and units[at].block.id == units[best].block.id and scores[at] >= 0.8 * scores[best]:
            size += len(units[at].text)
            if size > limit_chars:
                break
            first, last = min(first, at), max(last, at)
            at += step
    return Span(units[first].span.start, units[last].span.end)


def _with_rest(units: Sequence[Unit], first: int, best: int, limit_chars: int, covers: Sequence[float]) -> int:
    """Return the last unit to print: what follows in the block, what a colon leads on to, and blocks that speak of the question too."""
    last, size = best, sum(len(u.text) for u in units[first : best + 1])
    while last + 1 < len(units):
        following, leads_on = units[last + 1], _leads_on(units[last])
        same = following.block.id == units[last].block.id or (following.block.kind == units[last].block.kind == "list_item")
        more = same or covers[last + 1] >= 0.5 * covers[best] or size < ENOUGH_CHARS or following.block.kind == "code"
        if not leads_on and (following.block.section != units[best].block.section or not more or size + len(following.text) > limit_chars):
            break
        last, size = last + 1, size + len(following.text)
    while last > best and (_is_label(units[last]) or _leads_on(units[last])):
        last -= 1
    return last


def _leads_on(unit: Unit) -> bool:
    return unit.text.rstrip().endswith((":", "\uff1a"))


def _is_label(unit: Unit) -> bool:
    """Say whether a unit is a title or a button more than a statement: one to six words, no stop, alone in its block."""
    text = unit.text.strip()
    return unit.block.kind in ("paragraph", "figure", "html") and len(text) < 60 and len(text.split()) <= 6 and text[-1:] not in _STOPS


def _with_lead(units: Sequence[Unit], best: int) -> int:
    """Return the first unit to print: the sentence that leads into a list item, a code block or a table comes along."""
    block = units[best].block
    if block.kind in _PROSE or best == 0:
        return best
    lead = next((i for i in range(best - 1, -1, -1) if units[i].block.id == block.lead), None)
    if lead is None and units[best - 1].text.rstrip().endswith((":", "：")):
        lead = best - 1
    if lead is None and block.kind == "code" and units[best - 1].block.section == block.section:
        lead = best - 1
    if lead is None or sum(len(u.text) for u in units[lead:best]) > 400:
        return best
    return lead


def _units(document: Document, span: Span) -> list[Unit]:
    units: list[Unit] = []
    for block in document.blocks_in(span):
        part = Span(max(span.start, block.span.start), min(span.end, block.span.end))
        if block.kind in _SKIPPED:
            continue
        if block.kind == "table":
            units += _table_rows(document, block, part)
            continue
        visible, places = document.visible_map(part)
        cuts = sentences(visible) if block.kind in _PROSE else (Span(0, len(visible)),)
        for cut in cuts:
            text = cut.of(visible)
            if not text.strip() or not places:
                continue
            inner = Span(places[cut.start], places[cut.end - 1] + 1) if block.kind in _PROSE else part
            units.append(Unit(_trimmed(document.text, inner), block, text, frozenset(words(text))))
    return units


def _table_rows(document: Document, block: Block, part: Span) -> Iterator[Unit]:
    """Yield the rows of a table that hold words."""
    at = part.start
    for line in part.of(document.text).split("\n"):
        row = _trimmed(document.text, Span(at, at + len(line)))
        at += len(line) + 1
        text = document.visible(row)
        if any(c.isalnum() for c in text):
            yield Unit(row, block, text, frozenset(words(text)))


def _trimmed(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
