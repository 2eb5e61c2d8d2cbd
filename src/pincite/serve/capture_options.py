"""Options of `add`, `refresh` and `retry` about how pages are fetched, and how their words become values.

In: words of the command line. Out: fields of a Policy; secrets apart, since they are never stored.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from pincite.errors import UsageError
from pincite.serve.cli_options import text_of
from pincite.sources.scope import allow_list

F = TypeVar("F", bound=Callable[..., Any])


def ways_of_capture(command: F) -> F:
    """Give a command the options about rendering, order and intake."""
    for option in reversed(
        (
            click.option("--render", type=click.Choice(["auto", "never", "always"]), help="Run a page's scripts.  [default: auto]"),
            click.option("--wait-for", metavar="CSS", help="Wait for this element before a rendered page is taken."),
            click.option("--strategy", type=click.Choice(["bfs", "dfs", "best"]), help="Order of pages.  [default: bfs]"),
            click.option("--query", metavar="WORDS", help="What --strategy best looks for."),
            click.option("--seeds/--no-seeds", default=None, help="Ask for sitemaps, llms.txt and the like.  [default: seeds]"),
            click.option("--https-only", is_flag=True, default=None, help="Fetch nothing over plain http."),
            click.option("--allow", multiple=True, metavar="DOMAIN", help="Fetch only from this domain; repeatable."),
            click.option("--allow-file", metavar="FILE", help="Fetch only from the domains in this file, one a line."),
            click.option(
                "--deny", multiple=True, metavar="PATTERN", help="Never fetch from hosts like this, such as 'blog.*'; repeatable."
            ),
        )
    ):
        command = option(command)
    return command


def secrets(command: F) -> F:
    """Give a command the options that open private docs."""
    for option in reversed(
        (
            click.option(
                "--header", "headers", multiple=True, metavar="'NAME: VALUE'", help="Send to the source's own origin; not stored."
            ),
            click.option("--cookies", metavar="FILE", help="A cookies.txt for the source's own origin; not stored."),
            click.option("--login-state", metavar="FILE", help="A login saved by a browser (JSON); not stored."),
        )
    ):
        command = option(command)
    return command


def allowed(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options with the domains of `--allow-file` joined to those of `--allow`. Raises SourceError, UsageError."""
    path = options.pop("allow_file", None)
    if path is None:
        return options
    domains = allow_list(text_of(path))
    if not domains:
        raise UsageError(f"{path} names no domain, so nothing could be fetched.")
    return options | {"allow": (*options.get("allow", ()), *domains)}


def cookies_of(options: dict[str, Any]) -> str:
    """Take the cookie options out and return the text of the file that they name. Raises SourceError, UsageError."""
    jar, state = options.pop("cookies", None), options.pop("login_state", None)
    if jar and state:
        raise UsageError("Give --cookies or --login-state, not both.")
    return text_of(os.path.expanduser(jar or state)) if jar or state else ""
