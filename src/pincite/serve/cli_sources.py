"""`add`, `sources`, `status`, `remove`, `reindex`: what the library holds and how it got there.

In: locations and names of sources. Out: coverage reports, lists, counts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pincite.errors import PinciteError, UsageError
from pincite.serve import printing, schemas
from pincite.serve.errors import ATTENTION, DONE, REFUSED, UNUSABLE, USAGE
from pincite.serve.session import Progress, Session, everywhere
from pincite.types import Coverage, Policy, SourceKind

if TYPE_CHECKING:
    from pincite.library import Library

SCOPES = ["auto", "page", "prefix", "host", "domain"]
RULES = ("robots", "address", "scope", "size", "permission")
"""Reasons of skipped pages that are refusals (exit code 3) when nothing else came of a source."""


@click.command()
@click.argument("locations", nargs=-1, required=True, metavar="SOURCE…")
@click.option("--name", metavar="NAME", help="Name of the source. Default: made from its location.")
@click.option("--version", default="", metavar="LABEL", help="Version of what is documented, such as 2.1; printed with every passage.")
@click.option("--scope", type=click.Choice(SCOPES), help="How far to follow links.  [default: auto, the pages below the URL]")
@click.option("--include", multiple=True, metavar="PATTERN", help="Only pages or files that match; repeatable.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="No pages or files that match; repeatable.")
@click.option("--max-pages", type=click.IntRange(min=1), metavar="N", help="Stop after this many pages.  [default: 2000]")
@click.option("--max-depth", type=click.IntRange(min=0), metavar="N", help="Follow links this many steps at most.")
@click.option("--concurrency", type=click.IntRange(1, 64), metavar="N", help="Requests to one host at once.  [default: 4]")
@click.option("--delay", "delay_s", type=click.FloatRange(min=0), metavar="SECONDS", help="Pause between requests.  [default: 0.25]")
@click.option("--allow-private", multiple=True, metavar="HOST[:PORT]", help="Allow one private host, such as 127.0.0.1:8000.")
@click.option("--max-age", "max_age_s", type=click.FloatRange(min=0), metavar="SECONDS", help="Ask again after.  [default: 86400]")
@click.option("--selector", metavar="CSS", help="Where a page's main content is.")
@click.option("--exclude-selector", metavar="CSS", help="What to leave out of it.")
@everywhere
@click.pass_obj
def add(session: Session, /, locations: tuple[str, ...], name: str | None, version: str, **options: Any) -> None:
    """Capture sources and make them searchable.

    SOURCE is the URL of a documentation site or page; a file, folder, glob or file:// URL; a context file with "## File:" sections; or
    raw:<html>. Added again, a source is compared: only what changed is captured. Ends with a coverage report.
    """
    if name and len(locations) > 1:
        raise UsageError("--name names one source; add the others in a command of their own.")
    with session.library(create=True) as library:
        policy = _policy(library, options)
        for location in locations:
            try:
                report = _added(session, library, location, name, version, policy)
            except PinciteError as error:
                if len(locations) == 1:
                    raise
                from pincite.serve.cli import complain

                session.attend(complain(session, error))
                continue
            session.emit(partial(schemas.coverage, report), partial(printing.coverage, report))
            kinds = {source.slug: source.kind for source in library.sources()}
            session.attend(_judged(session, report, kinds.get(report.source, "site"), library.settings.max_failed))


def _policy(library: Library, options: dict[str, Any]) -> Policy:
    given = {name: value for name, value in options.items() if value is not None and value != ()}
    return replace(library.policy(), **given)


def _added(session: Session, library: Library, location: str, name: str | None, version: str, policy: Policy) -> Coverage:
    progress = Progress(session, location)
    try:
        return library.add(location, name=name, version=version, policy=policy, progress=progress)
    except KeyboardInterrupt:
        progress.done()
        session.tell("Interrupted. What was captured is kept; `pincite status` says what is missing, `pincite add` goes on.")
        raise
    finally:
        progress.done()


def _judged(session: Session, report: Coverage, kind: SourceKind, max_failed: float) -> int:
    failed, skipped = sum(report.failed.values()), sum(report.skipped.values())
    if report.fetched + report.unchanged:
        return ATTENTION if failed > max_failed * max(1, report.wanted) else DONE
    if failed:
        return UNUSABLE if kind in ("site", "page") else ATTENTION
    if skipped and any(reason.split(":")[0] in RULES for reason in report.skipped):
        return REFUSED
    if report.removed:
        return DONE
    session.tell(f"There is nothing to add in {report.source}: no page or file with text that can be taken.")
    return USAGE


@click.command()
@everywhere
@click.pass_obj
def sources(session: Session) -> None:
    """List the sources of the library."""
    with session.library() as library:
        held = library.sources()
        session.emit(lambda: [schemas.source(source) for source in held], lambda: printing.sources(held))


@click.command()
@click.argument("source", required=False)
@everywhere
@click.pass_obj
def status(session: Session, source: str | None) -> None:
    """Show the coverage of the last capture of each source, or of one with its missing and failed pages."""
    with session.library() as library:
        reports, stats = library.status(source), schemas.plain(library.stats())
        shape = {
            "store": library.place,
            "stats": stats,
            "sources": [schemas.coverage(report) if report else {"source": slug, "finished": False} for slug, report in reports.items()],
        }
        session.emit(lambda: shape, lambda: printing.status(library.place, stats, reports, whole=source is not None))


@click.command()
@click.argument("source")
@click.option("--purge", is_flag=True, help="Erase its bytes and texts too. Citations keep a tombstone.")
@everywhere
@click.pass_obj
def remove(session: Session, source: str, purge: bool) -> None:
    """Take a source out of search at once. Cited snapshots stay readable, unless --purge."""
    with session.library() as library:
        pages = library.remove(source, purge=purge)
        verb = "Erased" if purge else "Removed"
        session.emit(lambda: {"source": source, "pages": pages, "purged": purge}, lambda: f"{verb} {source}: {pages} pages.")


@click.command()
@click.argument("source", required=False)
@everywhere
@click.pass_obj
def reindex(session: Session, source: str | None) -> None:
    """Process the stored snapshots again, without the network. Needed after an upgrade; can be interrupted and run again."""
    progress = Progress(session, "reindex")
    with session.library() as library:
        try:
            changed = library.reindex(source, progress=progress)
        finally:
            progress.done()
        session.emit(lambda: {"source": source, "changed": changed}, lambda: f"Processed again; {changed} pages changed.")
