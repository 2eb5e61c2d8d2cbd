"""Write `docs/reference/cli.md` from the commands themselves.

In: the commands' `--help`. Out: the page; `tests/docs` compares it.
"""

from __future__ import annotations

from pathlib import Path

import click

from pincite.serve.cli import COMMANDS, pincite
from pincite.serve.errors import TABLE

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "cli.md"
HEAD = """# Command line

Written by `make reference` from the commands' own `--help`; a test compares it.

`pincite` and `python -m pincite` are the same. The global options may stand before or after the command. Data goes to stdout, progress and
remarks to stderr.

## Exit codes

| code | means |
|---|---|
| 0 | done |
| 1 | done, but something needs a look: over 5 % of the wanted pages or every named file failed, no evidence, a quote refused, damage |
| 2 | a wrong call, an unknown id, nothing to add |
| 3 | refused by a rule: robots, address, scope, size, permission, a read-only library |
| 4 | the source, library or model can't be reached or used: 404, unknown host, time-out, locked, newer version, no library, full disk |
| 130 | interrupted; what was captured is kept |
"""


def errors() -> str:
    """Return the table of errors."""
    rows = "\n".join(f"| `{r.error.__name__}` | {r.exit_code} | {r.http_status} | {r.title} |" for r in TABLE)
    return f"## Errors\n\n| error | exit code | HTTP status | title |\n|---|---|---|---|\n{rows}\n"


def row(option: click.Option) -> str:
    """Return an option as a row of its command's table."""
    choices = "|".join(map(str, option.type.choices)) if isinstance(option.type, click.Choice) else ""
    value = (option.metavar or choices).replace("|", "\\|")
    names = ", ".join(option.opts)
    about = (option.help or "").replace("|", "\\|")
    default = f"  [default: {option.default}]" if option.show_default else ""
    return f"| `{names}{' ' + value if value and not option.is_flag else ''}` | {about}{default} |"


def section(name: str, command: click.Command) -> str:
    """Return one command: its call, what it does, its own options."""
    arguments = " ".join(p.metavar or f"{p.name}".upper() for p in command.params if isinstance(p, click.Argument))
    shared = {p.name for p in pincite.params}
    options = [p for p in command.params if isinstance(p, click.Option) and (p.name not in shared or p.name == "version")]
    about = "\n\n".join(" ".join(part.split()) for part in (command.help or "").split("\n\n"))
    table = "| option | does |\n|---|---|\n" + "\n".join(map(row, options)) + "\n" if options else ""
    return f"## pincite {name}\n\n`pincite {name} {arguments}`".rstrip("` ") + f"`\n\n{about}\n\n{table}".rstrip() + "\n"


def page() -> str:
    """Return the whole page."""
    shared = "\n".join(row(p) for p in pincite.params if isinstance(p, click.Option))
    parts = [HEAD, errors(), f"## Global options\n\n| option | does |\n|---|---|\n{shared}\n"]
    with click.Context(pincite, info_name="pincite") as top:
        for name in COMMANDS:
            command = pincite.get_command(top, name)
            assert command is not None
            parts.append(section(name, command))
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
