"""From passages to an answer: extractive, or a model's draft checked claim by claim, repaired once.

In: a turn (the question as asked, the conversation before it), the passages, the evidence, perhaps a model. Out: printed pieces as soon
as they are verified, then the `Answer`. What a model writes reaches nobody before `cite` has checked it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pincite.answer import compose, extractive, followup, intent, refusal
from pincite.answer.prompt import Shown
from pincite.answer.terms import question_terms, words
from pincite.cite.footnotes import Footnotes
from pincite.cite.labels import labels, language_of
from pincite.errors import ModelError
from pincite.protocols import Evidence, Judge, Metered, Model
from pincite.types import Answer, AskOptions, Claim, Dropped, SearchResult, Span

_PAGE: Final = frozenset(
    words(
        "explain summarize summary summarise describe description say says said contain content page document snapshot"
        " capture citation note source reference meaning mean read show text about contents overview"
    )
)
"""What one asks of a page as a whole."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What somebody asked, and the turns before it as (role, text), oldest first."""

    question: str
    history: tuple[tuple[str, str], ...] = ()
    about: str = ""
    """What is searched for instead, where the question names captures by their codes."""
    meant: str = ""
    """What is searched for in the terms of the user's map, where that differs."""

    @property
    def searched(self) -> str:
        """The question as it is searched for: it stands alone."""
        if self.about:
            return self.about
        return followup.standalone(self.question, self.history)

    @property
    def searches(self) -> bool:
        """Say whether there is anything to search for: greetings and small talk need none."""
        return intent.intent_of(self.question) != "none"

    def answered(
        self, result: SearchResult, evidence: Evidence, model: Model | None, options: AskOptions, judge: Judge | None = None
    ) -> Iterator[str | Answer]:
        """Yield each printed piece once it is verified, then the answer."""
        return stream(self, result, evidence, model, options, judge)


def asks_of(question: str) -> str:
    """Return a question that has named a page already, or an empty string where it only wants that page explained."""
    return question if question_terms(question) - _PAGE else ""


def stream(
    turn: Turn, result: SearchResult, evidence: Evidence, model: Model | None, options: AskOptions, judge: Judge | None = None
) -> Iterator[str | Answer]:
    """Yield each printed piece once it is verified, then the answer. Raises ModelError where the model fails before anything holds."""
    result = replace(result, query=turn.question)
    wants, language = intent.intent_of(turn.question), language_of(turn.question)
    if wants == "none":
        yield Answer(turn.question, labels(language).greeting + "\n", abstained=True, intent=wants)
        return
    sought = turn.meant or turn.searched
    missing = refusal.missing_names(sought, result) if options.floor else ()
    if missing:
        result = replace(result, unknown_terms=tuple(dict.fromkeys((*result.unknown_terms, *missing))))
    if missing or refusal.abstains(sought, result, options.floor, mapped=bool(turn.meant)):
        yield Footnotes(result, evidence, options, language=language).answer(intent=wants)
        return
    if model is None or not options.model:
        draft = extractive.draft(f"{turn.searched} {turn.meant}".rstrip(), result, evidence, options)
        page = Footnotes(result, evidence, options, language=language)
        for claim in draft.claims:
            if piece := page.add(claim):
                yield piece
        yield from filter(None, [page.differing(turn.searched)])
        yield page.answer(intent=wants)
        return
    page = Footnotes(result, evidence, options, language=language, model=model.name, judge=judge)
    yield from _modelled(turn, _shown(turn, result, evidence, options), page, model, options, language, wants)


def _shown(turn: Turn, result: SearchResult, evidence: Evidence, options: AskOptions) -> tuple[Shown, ...]:
    """Return what a model reads: twice as many passages as an answer draws on, the ones most worth quoting first."""
    passages = extractive.ordered(f"{turn.searched} {turn.meant}".rstrip(), result, evidence, options)[: 2 * options.passages]
    return tuple(Shown(p, d.visible(Span(p.start, p.end)) if (d := evidence.document(p.document)) else p.text) for p in passages)


def _modelled(
    turn: Turn, shown: tuple[Shown, ...], page: Footnotes, model: Model, options: AskOptions, language: str, wants: str
) -> Iterator[str | Answer]:
    before = dict(model.usage) if isinstance(model, Metered) else {}
    made = compose.composer(turn.searched, shown, model, options, language=language, history=turn.history)
    failed: ModelError | None = None
    printed: set[str] = set()
    try:
        for claim in made.claims(stream=True):
            if claim.text in printed:
                continue
            yield from _printed(page.add(claim), claim, printed)
    except ModelError as error:
        failed = error
    if failed is not None and not printed:
        raise failed
    if page.dropped and failed is None:
        yield from _repaired(page, made, printed)
    yield from filter(None, [page.differing(turn.searched)])
    used = {k: v - before.get(k, 0) for k, v in model.usage.items()} if isinstance(model, Metered) else {}
    answer = page.answer(usage=used, intent=wants)
    if failed is not None:
        answer = replace(answer, dropped=(*answer.dropped, Dropped("", f"the model failed in the middle: {failed.message}", "absent")))
    yield answer


def _repaired(page: Footnotes, made: compose.Composer, printed: set[str]) -> Iterator[str]:
    """Ask once more for the sentences that failed; one that holds now takes the place of a dropped one."""
    waiting = dict(page.dropped)
    for claim in made.repaired(tuple(waiting.values())):
        order = next(iter(waiting), None)
        if claim.text in printed or order is None:
            continue
        piece = page.add(claim, instead_of=order)
        if piece:
            waiting.pop(order)
            yield from _printed(piece, claim, printed)


def _printed(piece: str, claim: Claim, printed: set[str]) -> Iterator[str]:
    if piece:
        printed.add(claim.text)
        yield piece
