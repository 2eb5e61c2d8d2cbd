"""`chat`: a conversation on the terminal.

In: questions, one a line: typed at a prompt, or read from stdin where that is no terminal. Out: after each its answer with footnotes. What
was said before is remembered until `/new`, and a follow-up question is understood by it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from typing import Any

import click

from pincite.errors import ModelError, UsageError
from pincite.serve import schemas
from pincite.serve.cli_ask import settled, streamed
from pincite.serve.cli_options import filters
from pincite.serve.cli_writing import Writing, writing
from pincite.serve.session import Session, everywhere

LEAVE = ("/exit", "/quit")
FORGET = "/new"


@click.command()
@filters
@writing
@everywhere
@click.pass_obj
def chat(
    session: Session,
    /,
    writing: Writing,
    **options: Any,
) -> None:
    """Talk with the library: each question sees what was asked before. `/new` forgets, `/exit` leaves.

    Where stdin is no terminal, each of its lines is a question. Exits with 1 when one of them could not be answered because of an error.
    """
    options = settled(options)
    writing.tell(session)
    with session.library() as library:
        how = writing.options(library)
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
