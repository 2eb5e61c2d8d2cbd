"""`prune`, `backup`, `restore`: the library as a file.

In: paths, and the user's word before something is erased or replaced. Out: counts and sizes.
"""

from __future__ import annotations

import os
import sys

import click

from pincite.errors import UsageError
from pincite.serve.printing import size
from pincite.serve.session import Session, everywhere

YES = click.option("-y", "--yes", is_flag=True, help="Don't ask first.")


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would be erased, and erase nothing.")
@YES
@everywhere
@click.pass_obj
def prune(session: Session, dry_run: bool, yes: bool) -> None:
    """Erase old captures that nothing needs, and shrink the library's file.

    Kept are the latest capture of each page, what a printed citation names, and what is marked keep. An erased capture leaves its record,
    but its text can't be searched or shown any more, also not with --as-of.
    """
    with session.library() as library:
        captures, freed = library.prune(rehearse=True)
        if captures and not dry_run:
            _agreed(yes, f"Erase {captures} old captures, {size(freed)}, for good?")
            captures, freed = library.prune()
        shape = {"captures": captures, "bytes": freed, "erased": not dry_run}
        verb = "Would erase" if dry_run else "Erased"
        session.emit(lambda: shape, lambda: f"{verb} {captures} old captures, {size(freed)}.")


@click.command()
@click.argument("file", type=click.Path())
@everywhere
@click.pass_obj
def backup(session: Session, file: str) -> None:
    """Copy the library to a new FILE, also while it is in use. The index is not in it; it is made anew from it."""
    with session.library() as library:
        written = library.backup(file)
        session.emit(lambda: {"file": file, "bytes": written}, lambda: f"Copied {library.place} to {file}, {size(written)}.")


@click.command()
@click.argument("file", type=click.Path())
@YES
@everywhere
@click.pass_obj
def restore(session: Session, file: str, yes: bool) -> None:
    """Replace the library by the backup FILE, or make it. The backup is checked first; a damaged one changes nothing."""
    from pincite.library import Library, restore

    settings = session.settings()
    place = settings.place()
    if not os.path.isfile(file):
        raise UsageError(f"There is no file {file}.")
    if os.path.exists(place) and os.path.samefile(file, place):
        raise UsageError(f"{file} is the library itself.")
    if os.path.exists(place):
        _agreed(yes, f"Replace the library {place} by {file}?")
    os.makedirs(os.path.dirname(os.path.abspath(place)), exist_ok=True)
    restore(file, place)
    with Library(settings=settings, create=False) as library:
        held = len(library.sources())
    session.emit(lambda: {"store": place, "file": file, "sources": held}, lambda: f"Restored {place} from {file}: {held} sources.")


def _agreed(yes: bool, question: str) -> None:
    """Go on when the user says so. Raises UsageError where nobody can be asked, and click.Abort for a no."""
    if yes:
        return
    if not sys.stdin.isatty():
        raise UsageError(f"{question} Pass --yes to do so.")
    click.confirm(question, abort=True, err=True)
