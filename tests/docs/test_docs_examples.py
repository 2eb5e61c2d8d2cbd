"""The examples of README and docs run, page by page, in a folder of their own.

In: fenced blocks. ` ```LANG title=FILE ` writes a file; ` ```console [exit=N] ` runs its `$ pincite …` lines and compares what they
print, where `…` stands for any text and a line of `…` for any lines; ` ```python [needs=MODULE] ` runs after the console blocks of
the tutorial's library exist; where the module is missing (`make test-agents` has it) the block is only compiled. Out: the first line
that differs.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import re
import shlex
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincite.serve.cli import main

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1$", re.M | re.S)


@dataclass(frozen=True)
class Example:
    """One fenced block."""

    language: str
    title: str
    needs: str
    exit_code: int
    body: str


def examples(page: Path) -> list[Example]:
    """Return the blocks of a page, in order."""
    found = []
    for _, info, body in FENCE.findall(page.read_text("utf-8")):
        words = info.split()
        options = dict(word.split("=", 1) for word in words[1:] if "=" in word)
        found.append(
            Example(words[0] if words else "", options.get("title", ""), options.get("needs", ""), int(options.get("exit", 0)), body)
        )
    return found


def pattern(expected: str) -> re.Pattern[str]:
    """Return what printed text must match: `…` is any text, a line of it any lines."""
    lines = [".*" if line == "…" else re.escape(line).replace("…", "[^\n]*") for line in expected.strip("\n").split("\n")]
    joined = "\n".join(lines).replace("\n.*", "(?:\n.*)?").replace(".*\n", "(?:.*\n)?")
    return re.compile(joined, re.S)


def play(example: Example) -> None:
    """Run the commands of a console block and compare what they print."""
    for part in re.split(r"^\$ ", example.body, flags=re.M)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command)
        assert words[0] == "pincite", f"only pincite runs here: {command}"
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            code = main(words[1:])
        printed = out.getvalue().strip("\n")
        assert code == example.exit_code, f"{command} exits with {code}\n{printed}"
        assert pattern(expected).fullmatch(printed), f"{command} printed\n{printed}\nand not\n{expected}"


TUTORIAL = [e for e in examples(ROOT / "docs" / "tutorial.md") if e.title][:1]
RUNNABLE = [page for page in PAGES if any(e.language in ("console", "python") for e in examples(page))]


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_examples_of_the_page_run(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_STORE", str(tmp_path / "library.db"))
    for example in (*TUTORIAL, *examples(page)):
        if example.title:
            file = tmp_path / example.title
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(example.body, "utf-8")
        elif example.language == "console":
            play(example)
        elif example.language == "python":
            code = compile(example.body, str(page), "exec")
            if not example.needs or importlib.util.find_spec(example.needs):
                exec(code, {"__name__": "example"})


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_data_in_examples_can_be_read(page: Path) -> None:
    for example in examples(page):
        if example.language == "toml":
            assert tomllib.loads(example.body)
        if example.language == "json":
            whole = example.body.lstrip().startswith(("{\n", "[\n"))
            assert json.loads(example.body) if whole else [json.loads(line) for line in example.body.splitlines()]


def test_the_tutorial_and_the_python_page_are_among_what_runs() -> None:
    assert {"tutorial.md", "python.md"} <= {page.name for page in RUNNABLE}


@pytest.mark.parametrize(
    ("expected", "printed", "fits"),
    [
        pytest.param("a…c", "abbc", True, id="text inside a line"),
        pytest.param("a…c", "ab\nc", False, id="not across lines"),
        pytest.param("…\nc", "a\nb\nc", True, id="lines before"),
        pytest.param("a\n…", "a", True, id="no lines after"),
        pytest.param("a", "b", False, id="another text"),
    ],
)
def test_three_dots_stand_for_any_text(expected: str, printed: str, fits: bool) -> None:
    assert bool(pattern(expected).fullmatch(printed)) is fits
