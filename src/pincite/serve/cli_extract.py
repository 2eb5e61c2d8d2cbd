"""`extract`: text and structure of pages, nothing stored.

In: files, folders, URLs. Out: Markdown, text or JSON, on stdout or one file a page.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pincite.errors import UsageError
from pincite.serve.errors import ATTENTION, UNUSABLE, USAGE
from pincite.serve.session import Session, everywhere
from pincite.urls import is_web

if TYPE_CHECKING:
    from pincite.serve.extracting import Form, Printed


@click.command()
@click.argument("places", nargs=-1, required=True, metavar="FILE|DIR|URL…")
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help="Write a file a page below this folder.")
@click.option("--format", "form", type=click.Choice(["markdown", "text", "json"]), default="markdown", show_default=True, help="Form.")
@click.option("--ids", is_flag=True, help="Write each heading's own id behind it: ## Title {#id}.")
@click.option("--selector", metavar="CSS", help="Where the content of an HTML page stands, before all rules.")
@click.option("--exclude-selector", metavar="CSS", help="What in an HTML page is no content.")
@click.option("--allow-private", multiple=True, metavar="HOST[:PORT]", help="Allow one private host, such as 127.0.0.1:8000.")
@everywhere
@click.pass_obj
def extract(session: Session, /, places: tuple[str, ...], out: Path | None, form: Form, ids: bool, **how: Any) -> None:
    """Print what a page says, as Markdown, without storing anything. Reads .gz too."""
    if session.json:
        form = "json"
    if ids and form != "markdown":
        raise UsageError("--ids writes into Markdown; with --format json the ids are in `sections`.")
    done = failed = 0
    for place in places:
        for page in _pages(session, place, form, ids, how):
            if page.reason:
                click.echo(f"{page.path}: {page.reason}", err=True)
                failed += 1
                continue
            done += 1
            if page.warning:
                click.echo(f"{page.path}: {page.warning}", err=True)
            _write(page, out, form)
    if out is not None:
        session.tell(f"{done} pages written to {out}" + (f", {failed} failed" if failed else ""))
    if not done and not failed:
        session.tell("There is no file to extract.")
        session.attend(USAGE)
    if failed > session.settings().max_failed * (done + failed):
        session.attend(UNUSABLE if not done and all(map(is_web, places)) else ATTENTION)


def _pages(session: Session, place: str, form: Form, ids: bool, how: dict[str, Any]) -> Iterator[Printed]:
    from pincite import wiring
    from pincite.serve import extracting

    settings = session.settings()
    given = {name: value for name, value in how.items() if value}
    policy = replace(wiring.policy(settings), scope="page", **given)
    if is_web(place):
        yield extracting.remote(place, settings, policy, form, ids=ids)
    else:
        yield from extracting.local(extracting.pages(place), form, ids=ids, settings=settings, policy=policy)


def _write(page: Printed, out: Path | None, form: Form) -> None:
    from pincite.serve import extracting

    if out is None:
        click.echo(page.text, nl=not page.text.endswith("\n"))
        return
    target = extracting.target(out, page.path.split("://")[-1], form)
    if not target.resolve().is_relative_to(out.resolve()):
        raise UsageError(f"{page.path} would be written outside {out}.")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page.text, "utf-8", newline="")
