"""`verify`: an answer's quotes, a file of quotes, or the whole library.

In: an answer as JSON or Markdown, JSONL with quotes, or nothing. Out: what holds, what does not, and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import click

from pincite.errors import UsageError
from pincite.serve import printing, schemas
from pincite.serve.cli_options import objects, text_of
from pincite.serve.errors import ATTENTION, DONE
from pincite.serve.report import report
from pincite.serve.session import Session, everywhere


@click.command()
@click.argument("answer", required=False, metavar="[ANSWER|-]")
@click.option("--quotes", type=click.Path(), metavar="FILE.jsonl", help='Check each {"id", "quote", "source"?, "path"?} line.')
@click.option("--claims", type=click.Path(), metavar="FILE.jsonl", help='Judge each {"id", "claim", "site", "path", "anchor"} line.')
@click.option("--report", "as_report", is_flag=True, help="Print what became of an answer's notes as GitHub-flavoured Markdown.")
@everywhere
@click.pass_obj
def verify(session: Session, answer: str | None, quotes: str | None, claims: str | None, as_report: bool) -> None:
    """Check an answer's quotes against the library, or the library itself.

    ANSWER is a file with the JSON of `ask --json`, or anyone's Markdown with footnotes or links; - reads stdin. Without it, every digest,
    span and citation of the library is checked, and the index against the store. Exits with 1 when something does not hold.
    """
    if sum(map(bool, (answer, quotes, claims))) > 1:
        raise UsageError("Give an answer, --quotes or --claims, not two of them.")
    with session.library() as library:
        if quotes:
            _quotes(session, quotes, library.verify_quotes)
        elif claims:
            for judged in library.verify_claims(objects(claims, "claim", session.bad_line)):
                click.echo(schemas.dumps(schemas.claim_check(judged)))
                session.attend(ATTENTION if judged.support == "failed" else DONE)
        elif answer:
            notes = library.verify_answer(text_of(answer))
            refused = [note for note in notes if not note.holds]
            session.emit(
                lambda: {"ok": bool(notes) and not refused, "notes": [schemas.note_check(n) for n in notes]},
                lambda: report(notes) if as_report else printing.notes(notes),
            )
            session.attend(ATTENTION if refused or not notes else DONE)
        else:
            found = list(library.verify())
            session.emit(lambda: {"ok": not found, "findings": [schemas.finding(f) for f in found]}, lambda: printing.findings(found))
            session.attend(ATTENTION if found else DONE)


def _quotes(session: Session, path: str, check: Callable[[Iterator[Mapping[str, Any]]], Iterator[Any]]) -> None:
    for checked in check(objects(path, "quote", session.bad_line)):
        click.echo(schemas.dumps(schemas.quote_check(checked)))
        session.attend(DONE if checked.accepted else ATTENTION)
