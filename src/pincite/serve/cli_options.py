"""Options that several commands share, and how their words become values.

In: words of the command line. Out: options of `search` and `ask`, questions of a JSONL file, moments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import click

from pincite.errors import SourceError, UsageError
from pincite.serve import moments

F = TypeVar("F", bound=Callable[..., Any])


class Moment(click.ParamType[datetime]):
    """An ISO 8601 date or time. A bare date means the end of that day; without a zone it is UTC."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return an aware UTC moment, or fail as a usage error."""
        if isinstance(value, datetime):
            return value
        try:
            return moments.as_of(str(value))
        except UsageError as error:
            self.fail(error.message, param, ctx)


SHARE = click.FloatRange(0, 1)


def filters(command: F) -> F:
    """Give a command the options that narrow and cut off a search."""
    for option in reversed(
        (
            click.option("--kind", type=click.Choice(["all", "doc", "code"]), default="all", show_default=True, help="What to look in."),
            click.option("--source", multiple=True, metavar="NAME", help="Only this source; repeatable."),
            click.option("--version", metavar="LABEL|RANGE", help="Only this version, or a range: '>=3.10,<3.13'."),
            click.option("--where", default="", metavar="FILTER", help="A filter: 'path = api/* and (lang = zh or not mark = expired)'."),
            click.option("--lang", metavar="TAG", help="Only this human language, such as en or zh."),
            click.option("--max-results", type=click.IntRange(min=1), metavar="N", help="At most this many passages.  [default: 10]"),
            click.option("--score-ratio", type=SHARE, metavar="0..1", help="Keep hits down to this share of the best.  [default: 0.5]"),
            click.option("--similarity-threshold", type=SHARE, metavar="0..1", help="Keep hits that cover this much of the question."),
            click.option("--neighbors", type=click.IntRange(min=0), default=0, metavar="N", help="Add N chunks on each side, labelled."),
            click.option("--segments", is_flag=True, help="Give whole stretches of documents, grown from the chunks that were found."),
            click.option(
                "--preset", type=click.Choice(["balanced", "precision", "find_all"]), default="balanced", help="How segments grow."
            ),
            click.option("--max-tokens", type=click.IntRange(min=1), metavar="N", help="Stop at about this many tokens of text."),
            click.option("--as-of", type=Moment(), metavar="TIME", help="As the library stood then (ISO 8601; UTC unless it says so)."),
            click.option("--explain", is_flag=True, help="Say for each passage how its score came about (in JSON)."),
        )
    ):
        command = option(command)
    return command


def text_of(path: str) -> str:
    """Return the text of a UTF-8 file, or of stdin for `-`. Raises SourceError, UsageError."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise SourceError(f"Can't read {path}: {error.strerror or error}.", rule="unreadable") from error
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is no UTF-8 text: {error}.") from error


def objects(path: str, key: str, complain: Callable[[str], None]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of a JSONL file, in order, that have text under `key`. Other lines are told by their number."""
    for number, line in enumerate(text_of(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except ValueError:
            found = None
        if not isinstance(found, dict) or not isinstance(found.get(key), str):
            complain(f'{path}:{number}: this line is no {{"{key}": …}}.')
        elif not found[key].strip():
            complain(f"{path}:{number}: the {key} is empty.")
        else:
            yield {"id": number, **found}
