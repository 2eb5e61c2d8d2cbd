"""`verify`: the whole library.

In: a library. Out: findings.
"""

from __future__ import annotations

import click

from pincite.serve import printing, schemas
from pincite.serve.errors import ATTENTION
from pincite.serve.session import Session, everywhere


@click.command()
@everywhere
@click.pass_obj
def verify(session: Session) -> None:
    """Check every digest, span and citation of the library, and the index against the store. Exits with 1 when something is wrong."""
    with session.library() as library:
        found = list(library.verify())
        session.emit(lambda: {"ok": not found, "findings": [schemas.finding(f) for f in found]}, lambda: printing.findings(found))
        if found:
            session.attend(ATTENTION)
