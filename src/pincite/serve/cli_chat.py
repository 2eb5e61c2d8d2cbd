"""`chat`: a conversation on the terminal.

In: questions, one a line: typed at a prompt, or read from stdin where that is no terminal. Out: after each its answer with footnotes. What
was said before is remembered until `/new`, and a follow-up question is understood by it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import click

from pincite.errors import ModelError, UsageError
from pincite.serve import schemas
from pincite.serve.cli_ask import settled, streamed
from pincite.serve.cli_options import filters
from pincite.serve.session import Session, everywhere

LEAVE = ("/exit", "/quit")
FORGET = "/new"


@click.command()
@filters
@click.option("--quotes", is_flag=True, help="Print the quoted words in each footnote.")
@click.option("--notes", type=click.Choice(["footnotes", "inline"]), default="footnotes", show_default=True, help="How sources are named.")
@click.option(
    "--style", type=click.Choice(["short", "medium", "long"]), default="medium", show_default=True, help="How long a model writes."
)
@click.option("--llm-url", metavar="URL", help="An OpenAI-compatible server that writes the answers, such as http://127.0.0.1:11434/v1.")
@click.option("--model", metavar="NAME", help="The model's name on that server.")
@click.option("--no-llm", is_flag=True, help="Answer with the pages' own sentences, even where a model is configured.")
@everywhere
@click.pass_obj
def chat(
    session: Session,
    /,
    quotes: bool,
    notes: Literal["footnotes", "inline"],
    style: Literal["short", "medium", "long"],
    llm_url: str | None,
    model: str | None,
    no_llm: bool,
    **options: Any,
) -> None:
    """Talk with the library: each question sees what was asked before. `/new` forgets, `/exit` leaves.

    Where stdin is no terminal, each of its lines is a question. Exits with 1 when one of them could not be answered because of an error.
    """
    options = settled(options)
    if not no_llm:
        session.flags |= {"llm_url": llm_url, "model": model}
    with session.library() as library:
        how = replace(library.answer_options(), quotes=quotes, notes=notes, style=style, model=not no_llm)
        history: list[tuple[str, str]] = []
        for line in _lines(session):
            if line == FORGET:
                history.clear()
                continue
            asked = [*history, ("user", line)]
            try:
                if session.json:
                    answer = library.chat(asked, options=how, **options)
                    click.echo(schemas.dumps(schemas.answer(answer)))
                else:
                    answer = streamed(library, asked, how, options)
            except (ModelError, UsageError) as error:
                session.bad_line(f"Error: {error.message}")
                continue
            history = [*asked, ("assistant", answer.markdown)]


def _lines(session: Session) -> Iterator[str]:
    """Yield what is asked, without empty lines, until the end of stdin or the word that leaves."""
    typed = sys.stdin.isatty()
    if typed:
        try:
            importlib.import_module("readline")
        except ImportError:
            session.tell("Lines can't be edited here: this Python has no readline.")
    while True:
        if typed:
            try:
                line = input("> ")
            except EOFError:
                click.echo()
                return
        elif not (line := sys.stdin.readline()):
            return
        line = line.strip()
        if line in LEAVE:
            return
        if line:
            yield line
