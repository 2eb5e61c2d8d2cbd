"""`pincite mcp` and `pincite export`: what agents and other programs take from a library.

In: options. Out: the MCP protocol on stdin and stdout; corpora, `llms.txt` and citations on stdout or in a file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.errors import UsageError
from pincite.serve.session import Session, everywhere

if TYPE_CHECKING:
    from pincite.library import Library


@click.command()
@click.option("--allow-root", multiple=True, metavar="DIR", help="A folder that clients may add sources from; repeatable. Default: none.")
@everywhere
@click.pass_obj
def mcp(session: Session, /, allow_root: tuple[str, ...]) -> None:
    """Serve the library to an assistant over MCP on stdin and stdout."""
    import anyio

    from pincite.serve import mcp_mount, mcp_sdk, mcp_stdio

    mcp_sdk.generation()
    settings = session.settings()

    def library() -> Library:
        from pincite.library import Library

        return Library(settings=settings)

    with mcp_stdio.claimed() as (reader, writer), mcp_mount.local(library, settings, roots=allow_root) as surface:
        anyio.run(mcp_stdio.serve, surface, reader, writer)


@click.command()
@click.option("--format", "form", type=click.Choice(["context", "llms-txt", "llms-full"]), required=True, help="What to write.")
@click.option(
    "--kind", type=click.Choice(["doc", "code"]), default="doc", show_default=True, help="With context: documents or source code."
)
@click.option("--source", metavar="NAME", help="Only this source.")
@click.option("--name", metavar="NAME", help="Name in the head. Default: the source's, or Pincite.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write. Default: stdout.")
@everywhere
@click.pass_obj
def export(session: Session, /, form: str, kind: str, source: str | None, name: str | None, out: Path | None) -> None:
    """Write a corpus for assistants: every document under a `## File:` line, or an llms.txt."""
    from pincite.serve import context_export
    from pincite.wiring import now

    with session.library() as library:
        if source is not None and source not in {s.slug for s in library.sources()}:
            raise UsageError(f"There is no source `{source}` in this library. `pincite sources` lists them.")
        title = name or source or "Pincite"
        parts: Iterator[str]
        if form == "context":
            parts = context_export.corpus(library, "code" if kind == "code" else "doc", name=title, today=now(), source=source)
        elif form == "llms-txt":
            parts = context_export.llms_txt(library, name=title, source=source)
        else:
            parts = context_export.llms_full(library, name=title, source=source)
        _written(parts, out)


def _written(parts: Iterator[str], out: Path | None) -> None:
    if out is None:
        for part in parts:
            click.echo(part, nl=False)
        return
    partial = out.with_name(out.name + ".part")
    with partial.open("w", encoding="utf-8", newline="") as file:
        file.writelines(parts)
    partial.replace(out)
