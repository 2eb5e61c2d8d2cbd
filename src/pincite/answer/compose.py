"""A model's draft: asked once, repaired once.

In: a question, its passages, a model. Out: claims as they become whole, then the claims of the repair round. The model's text is never
printed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pincite.answer.parse import ClaimStream, parse
from pincite.answer.prompt import Prompt, Shown, asked, repair
from pincite.errors import ModelError
from pincite.protocols import Model, StreamingModel
from pincite.types import AskOptions, Claim, Dropped

MAX_TOKENS: Final = {"short": 512, "medium": 1024, "long": 2048}


@dataclass(frozen=True, slots=True)
class Composer:
    """One question to one model."""

    model: Model
    prompt: Prompt
    max_tokens: int

    def claims(self, *, stream: bool) -> Iterator[Claim]:
        """Yield the claims of the first round. A stream that dies gives what was whole before it raises ModelError."""
        collected = ClaimStream(self.prompt.labels)
        if stream and isinstance(self.model, StreamingModel):
            pieces: Iterator[str] = self.model.stream(
                self.prompt.system, self.prompt.user, schema=self.prompt.schema, max_tokens=self.max_tokens
            )
        else:
            pieces = iter(
                (self.model.complete(self.prompt.system, self.prompt.user, schema=self.prompt.schema, max_tokens=self.max_tokens),)
            )
        for piece in pieces:
            yield from collected.feed(piece)
        yield from collected.end()

    def repaired(self, dropped: Sequence[Dropped]) -> tuple[Claim, ...]:
        """Return the claims of the one repair round; none where the model fails now."""
        further = repair(self.prompt, dropped)
        try:
            text = self.model.complete(further.system, further.user, schema=further.schema, max_tokens=self.max_tokens)
        except ModelError:
            return ()
        return parse(text, further.labels)


def composer(
    question: str,
    passages: Sequence[Shown],
    model: Model,
    options: AskOptions,
    *,
    language: str,
    history: Sequence[tuple[str, str]] = (),
    form: Literal["json", "marked"] = "json",
) -> Composer:
    """Return the composer of an answer over these passages."""
    prompt = asked(question, passages, language=language, style=options.style, history=history, form=form)
    return Composer(model, prompt, MAX_TOKENS[options.style])
