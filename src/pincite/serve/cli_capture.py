"""`refresh` and `retry`: capture again what the library holds, or what failed.

In: names of sources. Out: coverage reports.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pincite.errors import PinciteError, UsageError
from pincite.serve import printing, schemas
from pincite.serve.capture_options import cookies_of, secrets
from pincite.serve.cli_sources import judged
from pincite.serve.session import Progress, Session, everywhere
from pincite.types import Coverage

if TYPE_CHECKING:
    from pincite.library import Library


@click.command()
@click.argument("source", required=False)
@secrets
@everywhere
@click.pass_obj
def refresh(session: Session, /, source: str | None, **options: Any) -> None:
    """Ask again for every page of a source, or of all; only what changed is processed. Meant for a daily job."""
    headers, cookies = options.pop("headers"), cookies_of(options)
    if source is None and (headers or cookies):
        raise UsageError("Credentials belong to one source: name it.")
    with session.library() as library:
        names = [source] if source else [held.slug for held in library.sources()]
        for name in names:
            _captured(session, library, name, partial(library.refresh, headers=headers, cookies=cookies), alone=source is not None)


@click.command()
@click.argument("source")
@secrets
@everywhere
@click.pass_obj
def retry(session: Session, /, source: str, **options: Any) -> None:
    """Try the pages again that failed in a source's last capture, or that an interruption left."""
    headers, cookies = options.pop("headers"), cookies_of(options)
    with session.library() as library:
        _captured(session, library, source, partial(library.retry, headers=headers, cookies=cookies), alone=True)


def _captured(session: Session, library: Library, name: str, capture: Callable[..., Coverage], *, alone: bool) -> None:
    progress = Progress(session, name)
    try:
        report = capture(name, progress=progress)
    except PinciteError as error:
        if alone:
            raise
        from pincite.serve.cli import complain

        session.attend(complain(session, error))
        return
    finally:
        progress.done()
    session.emit(partial(schemas.coverage, report), partial(printing.coverage, report))
    kinds = {source.slug: source.kind for source in library.sources()}
    session.attend(judged(session, report, kinds.get(name, "site"), library.settings.max_failed))
