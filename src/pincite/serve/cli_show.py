"""`show`: what stands behind an id.

In: a `REF-`, `psg_` or `cit_` id, or a fingerprint. Out: the capture, passage or citation; its text, or its bytes as they came.
"""

from __future__ import annotations

import click

from pincite.errors import UsageError
from pincite.serve import printing, schemas
from pincite.serve.session import Session, everywhere


@click.command()
@click.argument("id")
@click.option("--markdown", "form", flag_value="markdown", help="Print the text that was taken from the page.")
@click.option("--html", "form", flag_value="html", help="Print the page's HTML, as captured.")
@click.option("--raw", "form", flag_value="raw", help="Write the captured bytes, whatever they are.")
@click.option("--note", metavar="TEXT", help='Put a note for readers behind this citation; "" takes it away.')
@everywhere
@click.pass_obj
def show(session: Session, id: str, form: str | None, note: str | None) -> None:
    """Show a capture (REF-… or its Base64 fingerprint), a passage (psg_…) or a printed citation (cit_…)."""
    with session.library() as library:
        if note is not None:
            library.remark(id, note)
        if id.startswith("psg_") and form is None:
            entry = library.passage(id)
            capture = library.capture(entry.holding.ref)
            session.emit(lambda: schemas.entry(entry, capture), lambda: printing.passage_entry(entry, capture))
            return
        if id.startswith("cit_") and form is None:
            from pincite.cite.record import record

            citation = library.citation(id)
            session.emit(lambda: record(citation), lambda: printing.citation(citation))
            return
        capture = library.capture(id)
        if form in ("raw", "html"):
            if form == "html" and "html" not in capture.media_type:
                raise UsageError(f"{capture.ref} is {capture.media_type or 'of unknown type'}, no HTML. --raw prints it as it is.")
            click.echo(library.body(capture.ref), nl=False)
        elif form == "markdown":
            click.echo(library.document(capture.ref).text)
        else:
            session.emit(lambda: schemas.capture(capture), lambda: printing.captured(capture))
