"""Draft -> answer: every quote checked against its document, the sentences printed, the notes numbered by first use.

In: a draft, the passages it was made from, the evidence. Out: `Answer`, the only maker of it. What is printed as evidence is the snapshot's
own text; a sentence without a verified quote is dropped and listed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pincite.cite import binding, printing
from pincite.cite.haystack import Haystacks
from pincite.cite.labels import labels, language_of
from pincite.protocols import Evidence
from pincite.types import Answer, AskOptions, Citation, Claim, Draft, Dropped, SearchResult


def verified(draft: Draft, result: SearchResult, evidence: Evidence, options: AskOptions, *, language: str | None = None) -> Answer:
    """Check each claim's quotes, print what holds, drop and list what does not; abstain where nothing is left."""
    words = labels(language or language_of(result.query))
    haystacks = Haystacks()
    numbered: dict[str, Citation] = {}
    parts: list[str] = []
    dropped: list[Dropped] = []
    at = 0
    for claim in draft.claims:
        made = binding.bind(claim, result, evidence, haystacks, extractive=draft.model is None)
        if isinstance(made, Dropped):
            dropped.append(made)
            continue
        body = printing.body(claim, made, evidence, extractive=draft.model is None)
        start = at + (2 if parts else 0)
        cited = list(_numbered(made, numbered, claim, (start, start + len(body))))
        text = printing.with_marks(body, cited, claim, options, words)
        parts.append(text)
        at = start + len(text)
    if not parts:
        return abstained(draft, result, options, language=language, dropped=tuple(dropped))
    citations = tuple(numbered.values())
    notes = printing.notes(citations, options, words) if options.notes == "footnotes" else ""
    return Answer(
        query=result.query,
        markdown="\n\n".join(parts) + ("\n\n" + notes if notes else "") + "\n",
        abstained=False,
        citations=citations,
        unknown_terms=result.unknown_terms,
        dropped=tuple(dropped),
        intent=draft.intent,
        model=draft.model,
        usage=draft.usage,
    )


def abstained(
    draft: Draft, result: SearchResult, options: AskOptions, *, language: str | None = None, dropped: tuple[Dropped, ...] = ()
) -> Answer:
    """Say that the library holds no evidence, which words it does not know, and what comes nearest; no footnote."""
    words = labels(language or language_of(result.query))
    return Answer(
        query=result.query,
        markdown=printing.refusal(result, words) + "\n",
        abstained=True,
        unknown_terms=result.unknown_terms,
        dropped=dropped,
        intent=draft.intent,
        model=draft.model,
        usage=draft.usage,
    )


def _numbered(made: tuple[Citation, ...], numbered: dict[str, Citation], claim: Claim, span: tuple[int, int]) -> Iterator[Citation]:
    for citation in made:
        if citation.id not in numbered:
            numbered[citation.id] = replace(citation, n=len(numbered) + 1, answer_span=span)
        yield numbered[citation.id]
