"""The command line: parses, calls one `Library` method, prints through `schemas`.

In: arguments. Out: data on stdout, progress and remarks on stderr, an exit code of `serve/errors.py`.
"""

from __future__ import annotations

import importlib
import io
import json
import os
import sqlite3
import sys
from collections.abc import Sequence

import click

from pincite import __version__
from pincite.errors import PinciteError
from pincite.serve.errors import DONE, INTERRUPTED, USAGE, meaning, problem, translated
from pincite.serve.session import Session, everywhere

COMMANDS = {
    "add": ("cli_add", "Capture a site, page, folder or file and make it searchable."),
    "search": ("cli_ask", "Find passages, best first."),
    "ask": ("cli_ask", "Answer a question with verified footnotes."),
    "chat": ("cli_chat", "Talk with the library; each question sees the ones before."),
    "show": ("cli_show", "Show a capture, passage or citation by its id."),
    "refresh": ("cli_add", "Ask again for the pages of a source; only what changed is captured."),
    "retry": ("cli_add", "Try again the pages that failed or are missing."),
    "sources": ("cli_sources", "List what the library holds."),
    "status": ("cli_sources", "Show coverage of the last capture, and what is missing."),
    "remove": ("cli_sources", "Take a source out of search, or erase it."),
    "reindex": ("cli_sources", "Process the stored snapshots again, without the network."),
    "prune": ("cli_upkeep", "Erase old captures that nothing cites, and shrink the library."),
    "backup": ("cli_upkeep", "Copy the library to a file, while it is in use."),
    "restore": ("cli_upkeep", "Replace the library by a backup."),
    "verify": ("cli_verify", "Check an answer's quotes, or the whole library."),
    "extract": ("cli_extract", "Print a page's text and structure; stores nothing."),
    "eval": ("cli_eval", "Measure search on questions with known places."),
    "export": ("cli_agents", "Write a corpus for assistants, or an llms.txt."),
    "mcp": ("cli_agents", "Serve the library to an assistant over MCP, on stdin and stdout."),
    "serve": ("cli_serve", "Serve the library over HTTP."),
    "token": ("cli_serve", "Print a token for the server."),
    "doctor": ("cli_doctor", "Check this installation and say what to install."),
}
"""Name -> (module, first line of its help). Modules are imported when their command is called."""


class Commands(click.Group):
    """Finds commands by name without importing the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order in which people need them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module and return the command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"pincite.serve.{COMMANDS[cmd_name][0]}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the list of commands from the table, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, about) for name, (_, about) in COMMANDS.items()])


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="pincite", message="%(prog)s %(version)s")
@everywhere
def pincite() -> None:
    """Citable knowledge from documentation sites, web pages, source trees and files.

    Capture sources with `add`, then `search` or `ask`. Every quote in an answer is checked against a stored snapshot.
    """


def main(arguments: Sequence[str] | None = None, session: Session | None = None) -> int:
    """Run one command and return its exit code. A `session` with another `opened` runs it against another library."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    session = session or Session()
    try:
        pincite.main(arguments, prog_name="pincite", standalone_mode=False, obj=session)
        sys.stdout.flush()
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.ClickException as error:
        error.show()
        return USAGE
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except PinciteError as error:
        return complain(session, error)
    except (OSError, sqlite3.Error, MemoryError, ModuleNotFoundError) as error:
        return complain(session, translated(error))
    return session.attention[0] if session.attention else DONE


def complain(session: Session, error: PinciteError) -> int:
    """Print an error on stderr, as problem details with `--json`, and return its exit code."""
    text = json.dumps(problem(error), ensure_ascii=False) if session.json else f"Error: {error.message}"
    click.echo(text, err=True)
    return meaning(error).exit_code
