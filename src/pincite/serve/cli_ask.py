"""`search` and `ask`.

In: a question, or a file of them. Out: passages, or an answer with footnotes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

import click

from pincite.errors import UsageError
from pincite.serve import printing, schemas
from pincite.serve.cli_options import filters, objects
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
@click.option("--quotes", is_flag=True, help="Print the quoted words in each footnote.")
@click.option("--notes", type=click.Choice(["footnotes", "inline"]), default="footnotes", show_default=True, help="How sources are named.")
@click.option(
    "--style", type=click.Choice(["short", "medium", "long"]), default="medium", show_default=True, help="How long a model writes."
)
@click.option("--llm-url", metavar="URL", help="An OpenAI-compatible server that writes the answer, such as http://127.0.0.1:11434/v1.")
@click.option("--model", metavar="NAME", help="The model's name on that server.")
@click.option("--no-llm", is_flag=True, help="Answer with the pages' own sentences, even where a model is configured.")
@click.option("--stream", is_flag=True, help="Print each sentence as soon as it is verified.")
@QUERIES
@everywhere
@click.pass_obj
def ask(
    session: Session,
    /,
    question: str | None,
    queries: str | None,
    quotes: bool,
    notes: Literal["footnotes", "inline"],
    style: Literal["short", "medium", "long"],
    llm_url: str | None,
    model: str | None,
    no_llm: bool,
    stream: bool,
    **options: Any,
) -> None:
    """Answer with footnotes, every quote checked against its snapshot. Exits with 1 when the library holds no evidence."""
    options = settled(options)
    if not no_llm:
        session.flags |= {"llm_url": llm_url, "model": model}
    with session.library() as library:
        how = replace(_ask_options(library), quotes=quotes, notes=notes, style=style, model=not no_llm)
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


def _ask_options(library: Library) -> AskOptions:
    settings = library.settings
    return AskOptions(passages=settings.answer_passages, passage_chars=settings.passage_chars, floor=settings.answer_floor)
