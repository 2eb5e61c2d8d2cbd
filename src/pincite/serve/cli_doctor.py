"""`doctor`: is this installation whole, and what to do about what is not.

In: the machine, the settings, the library if there is one. Out: a list of checks, each with advice.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import click

from pincite import __version__
from pincite.errors import PinciteError, StoreMissing
from pincite.serve import printing
from pincite.serve.errors import ATTENTION
from pincite.serve.session import Session, everywhere

LOW_BYTES = 1 << 30
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 37)
"""The first with STRICT tables, which the store uses."""
EXTRAS = {
    "browser": ("playwright", "pages that need JavaScript are rendered with it"),
    "mcp": ("mcp", "`pincite mcp` needs it"),
    "pdf": ("pypdfium2", "PDF files need it"),
    "code": ("tree_sitter", "symbols of other languages than Python need it"),
}
"""Extras of the package: a module that each brings, and what for."""
"""Optional parts and the module that shows that they are there."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `problem` needs attention, `optional` is only worth knowing."""

    name: str
    state: Literal["ok", "optional", "problem"]
    detail: str
    advice: str = ""


@click.command()
@everywhere
@click.pass_obj
def doctor(session: Session) -> None:
    """Check Python, SQLite, the search index, the library and the disk, and say what to install. Exits with 1 on a problem."""
    checks = [*_machine(), *_library(session)]
    shape = {"ok": all(c.state != "problem" for c in checks), "checks": [_shape(c) for c in checks]}
    session.emit(lambda: shape, lambda: "\n".join(_line(c) for c in checks))
    if not shape["ok"]:
        session.attend(ATTENTION)


def _shape(check: Check) -> dict[str, str]:
    return {"name": check.name, "state": check.state, "detail": check.detail, "advice": check.advice}


def _line(check: Check) -> str:
    return f"{check.state:<8}  {check.name:<14}  {check.detail}" + (f"\n{'':26}{check.advice}" if check.advice else "")


def _machine() -> Iterator[Check]:
    yield Check("pincite", "ok", __version__)
    version = ".".join(map(str, sys.version_info[:3]))
    old = sys.version_info[:2] < OLDEST_PYTHON
    yield Check("python", "problem" if old else "ok", version, "Install Python 3.11 or newer." if old else "")
    old = sqlite3.sqlite_version_info < OLDEST_SQLITE
    yield Check("sqlite", "problem" if old else "ok", sqlite3.sqlite_version, "Use a Python with SQLite 3.37 or newer." if old else "")
    try:
        yield Check("numpy", "ok", importlib.metadata.version("numpy"))
    except importlib.metadata.PackageNotFoundError:
        yield Check("numpy", "problem", "not installed", "pip install numpy")
    for name, (module, purpose) in EXTRAS.items():
        if importlib.util.find_spec(module) is None:
            yield Check(name, "optional", f"not installed; {purpose}", f"pip install 'pincite[{name}]'")
        else:
            yield Check(name, "ok", "installed")


def _library(session: Session) -> Iterator[Check]:
    settings = session.settings()
    place = Path(settings.place())
    folder = next((p for p in (place, *place.parents) if p.is_dir()), Path.cwd())
    free = shutil.disk_usage(folder).free
    low = free < LOW_BYTES
    yield Check("disk", "problem" if low else "ok", f"{free / 1e9:.1f} GB free at {folder}", "Free some space." if low else "")
    try:
        with session.library() as library:
            yield Check("library", "ok", f"{library.place}: " + printing.counts(library.stats()))
            wrong = [f for f in library.verify() if f.kind == "index"]
            if wrong:
                yield Check("index", "problem", f"{len(wrong)} passages differ from the store", "Run `pincite reindex`.")
            else:
                yield Check("index", "ok", "agrees with the store")
    except StoreMissing as error:
        yield Check("library", "optional", error.message, "`pincite add URL|FOLDER|FILE` makes it.")
    except PinciteError as error:
        yield Check("library", "problem", error.message)
    except ModuleNotFoundError as error:
        yield Check("library", "problem", f"this installation lacks {error.name}", "pip install --upgrade --force-reinstall pincite")
