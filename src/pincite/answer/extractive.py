"""An answer without a model: the best passages' own sentences.

In: a question, its passages, the documents. Out: `Draft`, one claim a passage, each resting on one span of its document: whole sentences,
list items with the sentence that leads in, code with its sentence, a function by its signature and doc comment. The same input gives the
same draft.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pincite.answer import code
from pincite.answer.terms import cover, question_terms, weights, words
from pincite.protocols import Evidence
from pincite.sentences import sentences
from pincite.types import AskOptions, Block, Claim, Document, Draft, DraftQuote, Passage, SearchResult, Span

_PROSE = ("paragraph", "term", "quote", "html", "figure")
PER_PAGE: Final = 2
"""Passages of one page that an answer quotes at most; `options.passages` counts pages."""
_SKIPPED = ("heading", "front_matter")


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
    terms = question_terms(question)
    claims: list[Claim] = []
    taken: list[tuple[str, Span]] = []
    printed: set[str] = set()
    for passage in result.passages:
        pages = Counter(id for id, _ in taken)
        if pages[passage.document] == PER_PAGE or (passage.document not in pages and len(pages) == options.passages):
            continue
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
        quote = DraftQuote(visible, passage.id, passage.block, document.id, span)
        claims.append(Claim(visible, (quote,), "code" if document.kind == "code" else "sentence", document.code_language))
    return Draft(tuple(claims))


def _chosen(document: Document, passage: Passage, terms: frozenset[str], options: AskOptions) -> Span | None:
    if document.kind == "code":
        return code.excerpt(document, Span(passage.start, passage.end), options.passage_chars)
    units = _units(document, Span(passage.start, passage.end))
    if not units:
        return None
    weighted = weights(terms, [u.terms for u in units])
    scores = [cover(u.terms, weighted) + (0.01 if u.block.kind in _PROSE else 0.0) for u in units]
    best = max(range(len(units)), key=lambda i: (scores[i], -i))
    first, last = _with_lead(units, best), best
    size = sum(len(u.text) for u in units[first : last + 1])
    leads_on = units[last].text.rstrip().endswith((":", "："))
    while last + 1 < len(units):
        following = units[last + 1]
        joined = following.block.section == units[best].block.section or leads_on
        if not joined or (size + len(following.text) > options.passage_chars and not leads_on):
            break
        last, size = last + 1, size + len(following.text)
        leads_on = following.text.rstrip().endswith((":", "："))
    while first > 0 and units[first - 1].block.id == units[first].block.id and size + len(units[first - 1].text) <= options.passage_chars:
        first -= 1
        size += len(units[first].text)
    return Span(units[first].span.start, units[last].span.end)


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
    units = []
    for block in document.blocks_in(span):
        part = Span(max(span.start, block.span.start), min(span.end, block.span.end))
        if block.kind in _SKIPPED:
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


def _trimmed(text: str, span: Span) -> Span:
    start, end = span.start, span.end
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end)
