"""What every command shares: the global options, the library it opens, and where its output goes.

In: options given before or after the command. Out: an open `Library`, JSON lines on stdout, messages and progress on stderr.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from pincite.library import Library
    from pincite.settings import Settings
    from pincite.types import PageOutcome


F = TypeVar("F", bound=Callable[..., Any])


@dataclass(slots=True)
class Session:
    """The global options of one run. Click fills it while it parses."""

    store: str | None = None
    config: str | None = None
    json: bool = False
    quiet: bool = False
    verbose: bool = False
    opened: Callable[[Settings, bool], Library] | None = None
    """Opens the library; None means `Library` itself. The bool says whether it may be made."""
    flags: dict[str, Any] = field(default_factory=dict)
    """Settings that options of the command override."""
    attention: list[int] = field(default_factory=list)
    """Exit codes that parts of the run asked for; the first is returned."""

    def settings(self) -> Settings:
        """Return the merged settings. Raises UsageError."""
        from pincite.settings import load

        return load({"store": self.store, **self.flags}, config=self.config)

    def library(self, *, create: bool = False) -> Library:
        """Open the library; a command that only reads raises StoreMissing where there is none."""
        if self.opened is not None:
            return self.opened(self.settings(), create)
        from pincite.library import Library

        return Library(settings=self.settings(), create=create)

    def emit(self, shape: Callable[[], Any], text: Callable[[], str]) -> None:
        """Print one value on stdout: as a line of JSON with `--json`, else as text."""
        if self.json:
            click.echo(json.dumps(shape(), ensure_ascii=False))
            return
        from pincite.serve.printing import plain

        click.echo(plain(text()) if sys.stdout.isatty() else text())

    def tell(self, message: str) -> None:
        """Print a remark on stderr, unless `-q`."""
        if not self.quiet:
            click.echo(message, err=True)

    def bad_line(self, message: str) -> None:
        """Say on stderr, even with `-q`, that a line of an input file could not be used."""
        click.echo(message, err=True)
        self.attend(1)

    def attend(self, code: int) -> None:
        """Remember that this run must not exit with 0."""
        if code:
            self.attention.append(code)


MOST_WARNED = 5
"""Pages that a capture warns of by name."""


class Progress:
    """One line on stderr that counts pages while they come; silent with `-q` or where stderr is no terminal, a line a page with `-v`."""

    def __init__(self, session: Session, label: str) -> None:
        self._verbose = session.verbose
        self._live = not session.quiet and not session.verbose and sys.stderr.isatty()
        self._label, self._pages, self._failed, self._shown_at = label, 0, 0, 0.0
        self._quiet, self._warned = session.quiet, list[str]()

    def __call__(self, page: PageOutcome) -> None:
        """Count one page."""
        self._pages += 1
        self._failed += page.outcome == "failed"
        if page.warning:
            self._warned.append(f"{page.url}: {page.warning}")
        if self._verbose:
            click.echo(f"{page.outcome:<9} {page.url}" + (f"  ({page.reason})" if page.reason else ""), err=True)
        elif self._live and time.monotonic() - self._shown_at > 0.1:
            self._shown_at = time.monotonic()
            failed = f", {self._failed} failed" if self._failed else ""
            line = f"{self._label}: {self._pages} pages{failed}  {page.url}"
            click.echo("\r\x1b[K" + line[: shutil.get_terminal_size().columns - 1], err=True, nl=False)

    def done(self) -> None:
        """Clear the line, and say which pages may not be there as a whole."""
        if self._live and self._pages:
            click.echo("\r\x1b[K", err=True, nl=False)
        if self._warned and not self._quiet:
            more = len(self._warned) - MOST_WARNED
            click.echo("\n".join(self._warned[:MOST_WARNED] + [f"and {more} pages more"] * (more > 0)), err=True)
        self._warned.clear()


def _keep(ctx: click.Context, param: click.Parameter, value: Any) -> None:
    if value and param.name:
        setattr(ctx.ensure_object(Session), param.name, value)


def everywhere(command: F) -> F:
    """Give a command the global options, so that they may stand before or after its name."""
    for flags, about in (
        (("-v", "--verbose"), "Say more: one line a page on stderr."),
        (("-q", "--quiet"), "No progress and no remarks on stderr."),
        (("--json",), "Print JSON instead of text, one value a line."),
    ):
        command = click.option(*flags, is_flag=True, expose_value=False, callback=_keep, help=about)(command)
    for flag, metavar, about in (
        ("--config", "FILE", "Settings file. Default: pincite.toml, if there is one."),
        ("--store", "PATH", "The library's file. Default: pincite/library.db in the user's data folder."),
    ):
        command = click.option(flag, metavar=metavar, expose_value=False, callback=_keep, help=about)(command)
    return command
