"""The rules of the house that a linter does not know. In: the source tree. Out: failures that name the file."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "pincite"
MODULES = sorted(PACKAGE.rglob("*.py"))
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
ROOMS = sorted(path.parent.name for path in PACKAGE.glob("*/__init__.py"))
VAGUE = {"utils", "util", "helpers", "helper", "common", "base", "core", "manager", "misc"}
HTTP_CLIENTS = {"httpx", "httpcore", "requests", "aiohttp", "urllib3", "urllib.request", "http.client", "ftplib", "smtplib", "telnetlib"}
LINES, LINES_OF_A_FUNCTION, LINES_OF_THE_PIPELINE = 400, 60, 120


def name(path: Path) -> str:
    """Return a path as it stands in the repository."""
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    """Parse a module."""
    return ast.parse(path.read_text("utf-8"))


def imports(path: Path) -> set[str]:
    """Return the modules that a module names in its imports, wherever they stand."""
    found: set[str] = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_is_short_enough_to_be_read(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LINES


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_functions_are_short_enough_to_be_read(path: Path) -> None:
    functions = [node for node in ast.walk(tree(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    long = [node.name for node in functions if (node.end_lineno or 0) - node.lineno + 1 > LINES_OF_A_FUNCTION]
    assert long == []


def test_the_pipeline_fits_on_one_screen() -> None:
    assert len((PACKAGE / "pipeline.py").read_text("utf-8").splitlines()) <= LINES_OF_THE_PIPELINE


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_file_is_named_by_what_it_holds(path: Path) -> None:
    assert not {path.stem, path.parent.name} & VAGUE


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_and_its_public_names_have_docstrings(path: Path) -> None:
    module = tree(path)
    bare = [] if ast.get_docstring(module) or not module.body else ["the module"]
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            bare += [] if ast.get_docstring(node) else [node.name]
    assert bare == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_only_the_fetcher_and_the_adapters_import_an_http_client(path: Path) -> None:
    inside = path.relative_to(PACKAGE).as_posix()
    if inside == "crawl/http.py" or inside.startswith(("crawl/http_", "adapters/")):
        return
    assert not imports(path) & HTTP_CLIENTS


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_no_broad_except_and_no_silence(path: Path) -> None:
    broad = [
        node.lineno
        for node in ast.walk(tree(path))
        if isinstance(node, ast.ExceptHandler) and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
    ]
    assert broad == []


@pytest.mark.parametrize("room", ROOMS)
def test_room_is_named_in_the_architecture(room: str) -> None:
    assert f"`{room}/`" in (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def anchors(page: Path) -> set[str]:
    """Return the anchors that a code host makes from a page's headings."""
    found = set()
    for line in re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S).splitlines():
        if heading := re.match(r"#{1,6}\s+(.*)", line):
            words = re.sub(r"[^\w\- ]", "", heading.group(1).replace("`", "").strip().lower())
            found.add(words.replace(" ", "-"))
    return found


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_link_of_a_page_is_dead(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.S)
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, fragment = target.partition("#")
        linked = (page.parent / file).resolve() if file else page
        if not linked.exists() or (fragment and linked.suffix == ".md" and fragment not in anchors(linked)):
            dead.append(target)
    assert dead == []
