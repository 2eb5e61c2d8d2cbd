"""`sources`, `status`, `remove`, `reindex`: what the library holds.

In: names of sources. Out: lists, coverage reports, counts.
"""

from __future__ import annotations

import click

from pincite.serve import printing, schemas
from pincite.serve.session import Progress, Session, everywhere


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
@click.option("--embed", is_flag=True, help="Make the vectors that are missing too, with the embedder of the settings.")
@click.option("--dry-run", is_flag=True, help="Tell what the model of header_model would be asked, and do nothing.")
@everywhere
@click.pass_obj
def reindex(session: Session, source: str | None, embed: bool, dry_run: bool) -> None:
    """Process the stored snapshots again, without the network. Needed after an upgrade; can be interrupted and run again."""
    progress = Progress(session, "reindex")
    with session.library() as library:
        if dry_run:
            calls, size = library.header_cost(source)
            told = f"A reindex would ask for {calls} titles and summaries, about {size:,} tokens in all."
            session.emit(lambda: {"source": source, "requests": calls, "tokens": size}, lambda: told)
            return
        try:
            changed = library.reindex(source, progress=progress)
        finally:
            progress.done()
        made = library.embed() if embed else None
        told = "" if made is None else f" {made} vectors made."
        session.emit(
            lambda: {"source": source, "changed": changed} | ({} if made is None else {"embedded": made}),
            lambda: f"Processed again; {changed} pages changed.{told}",
        )
