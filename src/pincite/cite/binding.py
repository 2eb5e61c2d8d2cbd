"""Claim -> citations: the quote says where it stands, whatever number or block the draft gave it.

In: a claim of a draft, the passages, the evidence. Out: its citations, or `Dropped` with the reason. The search goes from the cited block
to its document and then to every retrieved passage's document.
"""

from __future__ import annotations

from collections.abc import Iterator

from pincite.cite.citation import Place, cite
from pincite.cite.fold import squeezed
from pincite.cite.haystack import Haystacks
from pincite.cite.locate import Located, locate
from pincite.protocols import Evidence
from pincite.types import Citation, Claim, Document, DraftQuote, Dropped, Passage, SearchResult, Span, Support, Verification


def bind(
    claim: Claim, result: SearchResult, evidence: Evidence, haystacks: Haystacks, *, extractive: bool
) -> tuple[Citation, ...] | Dropped:
    """Return the citations of a claim, all of whose quotes hold; else why it is dropped."""
    if not claim.quotes:
        return Dropped(claim.text, "no quote", "absent")
    citations = []
    for quote in claim.quotes:
        made = _bound(quote, claim, result, evidence, haystacks, extractive=extractive)
        if isinstance(made, Located):
            reason = "quote not verified" + (f" ({', '.join(made.vetoes)})" if made.vetoes else "")
            return Dropped(claim.text or quote.text, reason, made.verdict)
        citations.append(made)
    return tuple(citations)


def _bound(
    quote: DraftQuote, claim: Claim, result: SearchResult, evidence: Evidence, haystacks: Haystacks, *, extractive: bool
) -> Citation | Located:
    """Return the citation of one quote: where it stands, else where it nearly stands, which is shown as repaired."""
    worst: Located | None = None
    repaired: tuple[Passage, Document, Located] | None = None
    for passage, document, preferred in _places(quote, result, evidence):
        located = _as_given(quote, document) or locate(quote.text, haystacks.of(document), near=preferred)
        if located.accepted:
            return _cited(quote, claim, passage, document, located, evidence, extractive=extractive) or located
        if located.status == "near" and repaired is None:
            repaired = passage, document, located
        if worst is None or (worst.status == "unverified" and located.score > worst.score):
            worst = located
    found = _cited(quote, claim, *repaired, evidence, extractive=False) if repaired and not extractive else None
    return found or worst or Located("unverified", "absent")


def _cited(
    quote: DraftQuote, claim: Claim, passage: Passage, document: Document, located: Located, evidence: Evidence, *, extractive: bool
) -> Citation | None:
    capture = evidence.capture(passage.ref)
    if capture is None or located.span is None:
        return None
    support: Support = "lexical" if extractive else "unchecked"
    moved = located.accepted and passage.id != quote.passage and quote.passage is not None
    verdict = "moved" if moved else located.verdict
    check = Verification(located.status, verdict, located.score, located.vetoes, located.occurrences, support)
    text = None if extractive else quote.text
    place = Place(capture, document, located.span)
    return cite(place, check, claim=claim.text, version=passage.version, model_text=text, flags=passage.flags)


def _as_given(quote: DraftQuote, document: Document) -> Located | None:
    """Accept the span that an extractive draft gave, when its words are those of the text there."""
    if quote.span is None or not 0 <= quote.span.start < quote.span.end <= len(document.text):
        return None
    if quote.document != document.id or squeezed(document.visible(quote.span)) != squeezed(quote.text):
        return None
    return Located("exact", "exact", quote.span, (quote.span,), 100.0, (), 1)


def _places(quote: DraftQuote, result: SearchResult, evidence: Evidence) -> Iterator[tuple[Passage, Document, Span | None]]:
    """Yield the documents to search, the cited passage's first, each once."""
    ordered = sorted(result.passages, key=lambda p: (p.id != quote.passage, p.document != quote.document, p.rank))
    seen: set[str] = set()
    for passage in ordered:
        if passage.document in seen:
            continue
        seen.add(passage.document)
        document = evidence.document(passage.document)
        if document is not None:
            yield passage, document, Span(passage.start, passage.end) if passage.id == quote.passage else None
