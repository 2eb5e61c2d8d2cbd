"""Draft -> answer: every quote checked against its document, the sentences printed, the notes numbered by first use.

In: claims, the passages they were made from, the evidence. Out: `Answer`, the only maker of it. What is printed as evidence is the
snapshot's own text; a sentence without a verified quote, or that says more than its quotes, is dropped and listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from pincite.cite import binding, disagreement, printing, remarks
from pincite.cite.claims import check
from pincite.cite.haystack import Haystacks
from pincite.cite.labels import labels, language_of
from pincite.planted import addresses_assistants
from pincite.protocols import Evidence, Judge
from pincite.types import Answer, AskOptions, Citation, Claim, Draft, DraftQuote, Dropped, SearchResult, Support

_ABOUT_ASSISTANTS = re.compile(r"\b(?:instruct|prompt|inject|attack|assistant|model|chatbot|agent|AI\b|LLM)", re.I)
"""A sentence about planted text may rest on it; one that does what it says may not."""


def verified(draft: Draft, result: SearchResult, evidence: Evidence, options: AskOptions, *, language: str | None = None) -> Answer:
    """Check each claim's quotes, print what holds, drop and list what does not; abstain where nothing is left."""
    page = Footnotes(result, evidence, options, language=language, model=draft.model)
    for claim in draft.claims:
        page.add(claim)
    return page.answer(usage=draft.usage, intent=draft.intent)


class Footnotes:
    """An answer in the making: claims go in, printed pieces come out as soon as they are verified, the notes at the end."""

    def __init__(
        self,
        result: SearchResult,
        evidence: Evidence,
        options: AskOptions,
        *,
        language: str | None = None,
        model: str | None = None,
        judge: Judge | None = None,
    ) -> None:
        self._judge = judge
        self._result, self._evidence, self._options, self._model = result, evidence, options, model
        self._words = labels(language or language_of(result.query))
        self._haystacks = Haystacks()
        self._numbered: dict[str, Citation] = {}
        self._parts: list[tuple[int, str]] = []
        self._dropped: dict[int, Dropped] = {}
        self._length = 0
        self._count = 0

    @property
    def dropped(self) -> Mapping[int, Dropped]:
        """The claims that failed, by the order in which they came in."""
        return dict(self._dropped)

    def add(self, claim: Claim, *, instead_of: int | None = None) -> str:
        """Verify one claim and return what is printed for it, an empty string where it is dropped.

        `instead_of` is the order of a dropped claim that this one repairs: where it holds, the drop is taken back.
        """
        order, self._count = self._count, self._count + 1
        extractive = self._model is None
        made = binding.bind(claim, self._result, self._evidence, self._haystacks, extractive=extractive)
        if not isinstance(made, Dropped) and not extractive:
            made = self._checked(claim, made)
        if isinstance(made, Dropped):
            if instead_of is None:
                self._dropped[order] = made
            return ""
        if instead_of is not None:
            self._dropped.pop(instead_of, None)
        body = printing.body(claim, made, self._evidence, extractive=extractive)
        start = self._length + (2 if self._parts else 0)
        cited = [self._number(c, (start, start + len(body))) for c in made]
        text = printing.with_marks(body, cited, self._options, self._words)
        self._parts.append((order, text))
        self._length = start + len(text)
        return text

    def differing(self, question: str) -> str:
        """Print, side by side and each with its note, what sources or versions say differently of what was asked; mostly nothing."""
        if not self._parts:
            return ""
        lines: list[str] = []
        for pair in disagreement.pairs(question, self._result.passages, self._evidence):
            made = [m for m in map(self._said, pair) if not isinstance(m, Dropped)]
            if len(made) < len(pair):
                continue
            start = self._length + 2
            for said, cited in zip(pair, made, strict=True):
                numbered = [self._number(c, (start, start + len(said.text))) for c in cited]
                whose = printing.harmless(" ".join(filter(None, (said.passage.source, said.passage.version))))
                lines.append(f"- {whose}: " + printing.with_marks(printing.harmless(said.text), numbered, self._options, self._words))
        if not lines:
            return ""
        text = "\n".join((self._words.differ + "\n", *lines))
        self._parts.append((self._count, text))
        self._length += 2 + len(text)
        return text

    def _said(self, said: disagreement.Said) -> tuple[Citation, ...] | Dropped:
        passage = said.passage
        document = self._evidence.document(passage.document)
        visible = document.visible(said.span) if document else said.text
        quote = DraftQuote(visible, passage.id, passage.block, passage.document, said.span)
        return binding.bind(Claim(said.text, (quote,)), self._result, self._evidence, self._haystacks, extractive=True)

    def notes(self) -> str:
        """Return the block of notes so far; in the inline style what a reader must know of a source, mostly nothing."""
        behind = {c.n: remarks.behind(c, self._words) for c in self._numbered.values()}
        if self._options.notes != "footnotes":
            return "\n".join(printing.address(c) + behind[c.n] for c in self._numbered.values() if behind[c.n])
        return "\n".join(printing.note(c, self._options, self._words) + behind[c.n] for c in self._numbered.values())

    def answer(self, *, usage: Mapping[str, int] | None = None, intent: str = "how_to", ms: float = 0.0) -> Answer:
        """Return the answer: what was printed with its notes, or an abstention with what was dropped."""
        notes = self.notes()
        text = "\n\n".join(t for _, t in self._parts)
        return Answer(
            query=self._result.query,
            markdown=(text + ("\n\n" + notes if notes else "") if self._parts else printing.refusal(self._result, self._words)) + "\n",
            abstained=not self._parts,
            citations=tuple(self._numbered.values()) if self._parts else (),
            unknown_terms=self._result.unknown_terms,
            dropped=tuple(self._dropped[i] for i in sorted(self._dropped)),
            intent=intent,
            model=self._model,
            usage=usage or {},
            ms=ms,
        )

    def _checked(self, claim: Claim, made: tuple[Citation, ...]) -> tuple[Citation, ...] | Dropped:
        """Compare a model's sentence with the blocks that its quotes stand in."""
        quoted = [printing.surroundings(c, self._evidence) for c in made]
        if any(map(addresses_assistants, quoted)) and not _ABOUT_ASSISTANTS.search(claim.text):
            return Dropped(claim.text, "its quote is text planted for assistants", made[0].verification.verdict)
        found = check(claim.text, quoted, self._result.query, [c.visible for c in made]).asked(claim.text, self._judge)
        if found.support == "failed":
            return Dropped(claim.text, f"claim check: {found.why}", made[0].verification.verdict)
        return tuple(_supported(c, found.support) for c in made)

    def _number(self, citation: Citation, span: tuple[int, int]) -> Citation:
        if citation.id not in self._numbered:
            held = self._evidence.citation(citation.id)
            remark = held.remark if held else ""
            self._numbered[citation.id] = replace(citation, n=len(self._numbered) + 1, answer_span=span, remark=remark)
        return self._numbered[citation.id]


def _supported(citation: Citation, support: Support) -> Citation:
    return replace(citation, verification=replace(citation.verification, support=support))
