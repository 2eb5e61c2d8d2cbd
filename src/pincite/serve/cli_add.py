"""`add`, `refresh`, `retry`: capture sources, ask for them again, try what failed.

In: locations or names of sources, and how they may be captured. Out: coverage reports.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pincite.errors import PinciteError, UsageError
from pincite.serve import logins, printing, schemas
from pincite.serve.cli_options import text_of
from pincite.serve.errors import ATTENTION, DONE, REFUSED, UNUSABLE, USAGE
from pincite.serve.session import Progress, Session, everywhere
from pincite.sources.scope import allow_list
from pincite.types import Coverage, Policy, SourceKind

if TYPE_CHECKING:
    from pincite.library import Library

F = TypeVar("F", bound=Callable[..., Any])
SCOPES = ["auto", "page", "prefix", "host", "domain"]
CACHES = ["enabled", "disabled", "read-only", "write-only", "bypass"]
KEEP_NOTHING = ("disabled", "read-only")
WOULD_FETCH = "would be fetched"
RULES = ("robots", "address", "scope", "size", "permission")
"""Reasons of skipped pages that are refusals (exit code 3) when nothing else came of a source."""

WHAT = (
    click.option("--scope", type=click.Choice(SCOPES), help="How far to follow links.  [default: auto, the pages below the URL]"),
    click.option("--include", multiple=True, metavar="PATTERN", help="Only pages or files that match; repeatable."),
    click.option("--exclude", multiple=True, metavar="PATTERN", help="No pages or files that match; repeatable."),
    click.option("--max-pages", type=click.IntRange(min=1), metavar="N", help="Stop after this many pages.  [default: 2000]"),
    click.option("--max-depth", type=click.IntRange(min=0), metavar="N", help="Follow links this many steps at most."),
    click.option("--strategy", type=click.Choice(["bfs", "dfs", "best"]), help="Which links first.  [default: bfs]"),
    click.option("--query", metavar="WORDS", help="What --strategy best ranks links by."),
    click.option("--allow", multiple=True, metavar="DOMAIN", help="Fetch from these domains alone; repeatable."),
    click.option("--allow-file", type=click.Path(), metavar="FILE", help="A file of such domains, one a line."),
    click.option("--deny", multiple=True, metavar="PATTERN", help="Hosts or URLs never to fetch, such as blog.*; repeatable."),
    click.option("--https-only", is_flag=True, default=None, help="No plain http."),
    click.option("--cache", type=click.Choice(CACHES), help="What of the library is read and written; see below.  [default: enabled]"),
    click.option("--seeds/--no-seeds", default=None, help="Ask for sitemaps, llms.txt and the like.  [default: seeds]"),
)
"""Options that say which pages."""

HOW = (
    click.option("--concurrency", type=click.IntRange(1, 64), metavar="N", help="Requests to one host at once.  [default: 4]"),
    click.option("--delay", "delay_s", type=click.FloatRange(min=0), metavar="SECONDS", help="Pause between requests.  [default: 0.25]"),
    click.option("--render", type=click.Choice(["auto", "never", "always"]), help="Run pages in a browser.  [default: auto]"),
    click.option("--browser-trace", type=click.Path(), metavar="DIR", help="Write a browser trace of each rendered page there."),
    click.option("--wait-for", metavar="CSS", help="What must be there before a rendered page is taken."),
    click.option("--selector", metavar="CSS", help="Where the content of an HTML page stands, before all rules."),
    click.option("--exclude-selector", metavar="CSS", help="What in an HTML page is no content."),
    click.option("--allow-private", multiple=True, metavar="HOST[:PORT]", help="Allow one private host, such as 127.0.0.1:8000."),
    click.option("--max-age", "max_age_s", type=click.FloatRange(min=0), metavar="SECONDS", help="Ask again after.  [default: 86400]"),
)
"""Options that say how they are fetched."""

SECRETS = (
    click.option("--header", "headers", multiple=True, metavar="LINE", help="Sent to the source's own origin alone; never stored."),
    click.option("--cookies", type=click.Path(), metavar="FILE", help="A cookies.txt, for that origin alone; never stored."),
    click.option("--login-state", type=click.Path(), metavar="FILE", help="A login that a browser saved, likewise."),
    click.option("--auth", metavar="WHERE", help="Basic login from env:VARIABLE (user:password) or keyring:USER; never stored."),
)
"""Options that open what is behind a login."""


def options(*groups: tuple[Callable[[F], F], ...]) -> Callable[[F], F]:
    """Give a command the options of the groups, in their order."""

    def give(command: F) -> F:
        for option in reversed([option for group in groups for option in group]):
            command = option(command)
        return command

    return give


@click.command()
@click.argument("locations", nargs=-1, required=True, metavar="SOURCE…")
@click.option("--name", metavar="NAME", help="Name of the source. Default: made from its location.")
@click.option("--version", default="", metavar="LABEL", help="Version of what is documented, such as 2.1; printed with every passage.")
@click.option("--dry-run", is_flag=True, help="Say what would be fetched, and why not the rest; write nothing.")
@options(WHAT, HOW, SECRETS)
@everywhere
@click.pass_obj
def add(session: Session, /, locations: tuple[str, ...], name: str | None, version: str, dry_run: bool, **how: Any) -> None:
    """Capture sources and make them searchable.

    SOURCE is the URL of a documentation site or page, or of a sitemap, an llms.txt, an objects.inv or a feed that lists pages; a repository
    as git+https://host/owner/name.git@ref#folder; a file, folder, glob or file:// URL; a context file with "## File:" sections; or
    raw:<html>. Added again, a source is compared: only what changed is captured. Ends with a coverage report.

    --cache: enabled asks for pages that are older than --max-age, and keeps what changed. bypass asks for all of them in full, once;
    write-only does so each time. read-only asks only for what is not held, and keeps nothing; disabled neither looks at what is held nor
    keeps anything.
    """
    if folder := how.pop("browser_trace"):
        session.flags["browser_trace"] = folder
    if name and len(locations) > 1:
        raise UsageError("--name names one source; add the others in a command of their own.")
    secrets = _secrets(how)
    with ExitStack() as stack:
        if (dry_run or how["cache"] in KEEP_NOTHING) and not os.path.exists(session.settings().place()):
            session.flags["store"] = os.path.join(stack.enter_context(TemporaryDirectory(prefix="pincite-")), "none.db")
        library = stack.enter_context(session.library(create=True))
        policy = _policy(library, how)
        for location in locations:
            opened = secrets(location)
            capture = partial(library.add, location, name=name, version=version, policy=policy, dry_run=dry_run, **opened)
            _captured(session, library, location, capture, alone=len(locations) == 1)


@click.command()
@click.argument("source", required=False)
@options(SECRETS)
@everywhere
@click.pass_obj
def refresh(session: Session, /, source: str | None, **how: Any) -> None:
    """Ask again for every page of a source, or of all, whatever its age; only what changed is captured."""
    secrets = _secrets(how)
    if source is None and secrets(""):
        raise UsageError("--header, --cookies, --login-state and --auth open one source; name it.")
    with session.library() as library:
        places = {held.slug: held.location for held in library.sources()}
        for slug in [source] if source else list(places):
            capture = partial(library.refresh, slug, **secrets(places.get(slug, "")))
            _captured(session, library, slug, capture, alone=source is not None)


@click.command()
@click.argument("source")
@options(SECRETS)
@everywhere
@click.pass_obj
def retry(session: Session, /, source: str, **how: Any) -> None:
    """Try again the pages that failed, or that an interruption left, in the last capture of a source."""
    secrets = _secrets(how)
    with session.library() as library:
        places = {held.slug: held.location for held in library.sources()}
        _captured(session, library, source, partial(library.retry, source, **secrets(places.get(source, ""))), alone=True)


def _secrets(how: dict[str, Any]) -> Callable[[str], dict[str, Any]]:
    """Take what opens a login out of the options; return what it comes to for a location."""
    headers, cookies, login, auth = how.pop("headers"), how.pop("cookies"), how.pop("login_state"), how.pop("auth")
    if cookies and login:
        raise UsageError("Give --cookies or --login-state, not both.")
    file = cookies or login
    given: dict[str, Any] = {"cookies": text_of(file)} if file else {}

    def opens(location: str) -> dict[str, Any]:
        lines = (*headers, logins.header(auth, location, os.environ)) if auth else headers
        return given | ({"headers": lines} if lines else {})

    return opens


def _policy(library: Library, how: dict[str, Any]) -> Policy:
    given = {name: value for name, value in how.items() if value is not None and value != ()}
    if file := given.pop("allow_file", None):
        listed = allow_list(text_of(file))
        if not listed:
            raise UsageError(f"{file} names no domain, so nothing could be fetched.")
        given["allow"] = (*given.get("allow", ()), *listed)
    return replace(library.policy(), **given)


def _captured(session: Session, library: Library, label: str, capture: Callable[..., Coverage], *, alone: bool) -> None:
    """Run a capture and print its report; where it is one of several, its error is told and the others go on."""
    progress = Progress(session, label)
    try:
        report = capture(progress=progress)
    except KeyboardInterrupt:
        progress.done()
        session.tell("Interrupted. What was captured is kept; `pincite status` says what is missing, `pincite add` goes on.")
        raise
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
    session.attend(_judged(session, report, kinds.get(report.source, "site"), library.settings.max_failed))


def _judged(session: Session, report: Coverage, kind: SourceKind, max_failed: float) -> int:
    failed, skipped = sum(report.failed.values()), sum(report.skipped.values())
    if report.fetched + report.unchanged or WOULD_FETCH in report.skipped:
        return ATTENTION if failed > max_failed * max(1, report.wanted) else DONE
    if failed:
        return UNUSABLE if kind in ("site", "page") else ATTENTION
    if skipped and any(reason.split(":")[0] in RULES for reason in report.skipped):
        return REFUSED
    if report.removed:
        return DONE
    session.tell(f"There is nothing to add in {report.source}: no page or file with text that can be taken.")
    return USAGE
