"""The options of the commands that write answers: `ask` and `chat`.

In: words of the command line. Out: `Writing`: what the answers look like and who writes them.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import click

from pincite.serve.session import Session
from pincite.types import AskOptions

if TYPE_CHECKING:
    from pincite.library import Library


@dataclass(frozen=True, slots=True)
class Writing:
    """What the answers look like and who writes them."""

    quotes: bool
    notes: Literal["footnotes", "inline"]
    style: Literal["short", "medium", "long"]
    llm_url: str | None
    model: str | None
    no_llm: bool

    def tell(self, session: Session) -> None:
        """Let the session's settings have the model that the command line names."""
        if not self.no_llm:
            session.flags |= {"llm_url": self.llm_url, "model": self.model}

    def options(self, library: Library) -> AskOptions:
        """Return the library's own options for answers with these in place."""
        return replace(library.answer_options(), quotes=self.quotes, notes=self.notes, style=self.style, model=not self.no_llm)


def writing(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of answers; it gets them as one value, `writing`."""

    @functools.wraps(command)
    def gathered(*arguments: Any, **options: Any) -> Any:
        return command(*arguments, writing=Writing(**{f.name: options.pop(f.name) for f in fields(Writing)}), **options)

    wrapped: Callable[..., Any] = gathered
    for option in reversed(
        (
            click.option("--quotes", is_flag=True, help="Print the quoted words in each footnote."),
            click.option(
                "--notes",
                type=click.Choice(["footnotes", "inline"]),
                default="footnotes",
                show_default=True,
                help="How sources are named.",
            ),
            click.option(
                "--style",
                type=click.Choice(["short", "medium", "long"]),
                default="medium",
                show_default=True,
                help="How long a model writes.",
            ),
            click.option(
                "--llm-url", metavar="URL", help="An OpenAI-compatible server that writes the answers, such as http://127.0.0.1:11434/v1."
            ),
            click.option("--model", metavar="NAME", help="The model's name on that server."),
            click.option("--no-llm", is_flag=True, help="Answer with the pages' own sentences, even where a model is configured."),
        )
    ):
        wrapped = option(wrapped)
    return wrapped
