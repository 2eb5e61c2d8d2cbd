"""The Python page names what the code has. In: the page and `Library`. Out: what is missing."""

from __future__ import annotations

import inspect
from pathlib import Path

from pincite.library import Library

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def test_python_page_names_every_public_method() -> None:
    page = (REFERENCE / "python.md").read_text("utf-8")
    methods = [name for name, _ in inspect.getmembers(Library, inspect.isfunction) if not name.startswith("_")]
    assert [name for name in methods if f"`{name}(" not in page and name not in ("close", "policy")] == []
