"""`search` and `ask`.

In: a question, or a file of them. Out: passages, or an answer with footnotes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from pincite.errors import UsageError
from pincite.serve import printing, schemas
from pincite.serve.cli_options import filters, objects
from pincite.serve.cli_writing import Writing, writing
from pincite.serve.errors import ATTENTION
from pincite.serve.session import Session, everywhere
from pincite.types import Answer, AskOptions

if TYPE_CHECKING:
    from pincite.library import Library

QUERIES = click.option("--queries", type=click.Path(), metavar="FILE.jsonl", help='Answer each {"query": …} line with one line of JSON.')


def settled(options: dict[str, Any]) -> dict[str, Any]:
    """Return the filters as `Library` takes them."""
    options["source"] = options["source"] or None
    return options


def _each(session: Session, path: str, question: str | None, answer: Callable[[str], schemas.Json]) -> None:
    if question:
        raise UsageError("Give a question or --queries, not both.")
    for line in objects(path, "query", session.bad_line):
        click.echo(schemas.dumps(answer(line["query"])))


@click.command()
@click.argument("question", required=False, metavar="QUERY")
@filters
@QUERIES
@everywhere
@click.pass_obj
def search(session: Session, /, question: str | None, queries: str | None, **options: Any) -> None:
    """Find passages, best first. Exits with 1 when there are none."""
    options = settled(options)
    with session.library() as library:
        if queries:
            _each(session, queries, question, lambda query: schemas.search_result(library.search(query, **options)))
            return
        result = library.search(question or "", **options)
        session.emit(lambda: schemas.search_result(result), lambda: printing.passages(result))
        if not result.passages:
            session.attend(ATTENTION)


@click.command()
@click.argument("question", required=False)
@filters
@writing
@click.option("--stream", is_flag=True, help="Print each sentence as soon as it is verified.")
@QUERIES
@everywhere
@click.pass_obj
def ask(
    session: Session,
    /,
    question: str | None,
    queries: str | None,
    stream: bool,
    writing: Writing,
    **options: Any,
) -> None:
    """Answer with footnotes, every quote checked against its snapshot. Exits with 1 when the library holds no evidence."""
    options = settled(options)
    writing.tell(session)
    with session.library() as library:
        how = writing.options(library)
        if queries:
            _each(session, queries, question, lambda query: schemas.answer(library.ask(query, options=how, **options)))
            return
        if stream and not session.json:
            answer = streamed(library, question or "", how, options)
        else:
            answer = library.ask(question or "", options=how, **options)
            session.emit(lambda: schemas.answer(answer), lambda: answer.markdown)
        if answer.abstained:
            session.attend(ATTENTION)


def streamed(library: Library, question: str | Sequence[tuple[str, str]], how: AskOptions, options: dict[str, Any]) -> Answer:
    """Print each piece as it comes and what is left of the answer, its notes, at the end."""
    shown = ""
    for item in library.stream(question, options=how, **options):
        if isinstance(item, Answer):
            click.echo(item.markdown[len(shown) :] if item.markdown.startswith(shown) else item.markdown)
            return item
        piece = item if not shown else "\n\n" + item
        click.echo(piece, nl=False)
        sys.stdout.flush()
        shown += piece
    raise AssertionError("the last thing that a stream gives is the answer")
