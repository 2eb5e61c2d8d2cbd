"""Jupyter notebooks: Markdown cells as they are, code cells and their text output as fences.

In: the notebook's JSON. Out: Markdown text, and the language of its code. Raises SourceError for JSON that is no notebook.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from pincite.errors import SourceError


def markdown(text: str) -> str:
    """Return the notebook as Markdown."""
    try:
        data = json.loads(text)
    except ValueError as error:
        raise SourceError(f"This notebook is not valid JSON: {error}.", rule="unreadable") from error
    if not isinstance(data, dict) or not isinstance(data.get("cells"), list):
        raise SourceError("This JSON has no cells: it is no notebook of format 4.", rule="unreadable")
    meta = data.get("metadata") or {}
    language = str((meta.get("language_info") or {}).get("name") or (meta.get("kernelspec") or {}).get("language") or "python")
    parts = [part for cell in data["cells"] if isinstance(cell, dict) for part in _cell(cell, language)]
    return "\n\n".join(parts) + "\n"


def _cell(cell: dict[str, Any], language: str) -> Iterator[str]:
    source = _joined(cell.get("source")).strip("\n")
    if cell.get("cell_type") == "code":
        if source.strip():
            yield _fence(source, language)
        for output in cell.get("outputs") or ():
            words = _output(output) if isinstance(output, dict) else ""
            if words.strip():
                yield _fence(words.strip("\n"), "text")
    elif source.strip():
        yield source


def _output(output: dict[str, Any]) -> str:
    data = output.get("data")
    return _joined(output.get("text")) or (_joined(data.get("text/plain")) if isinstance(data, dict) else "")


def _fence(source: str, language: str) -> str:
    mark = "```"
    while mark in source:
        mark += "`"
    return f"{mark}{language}\n{source}\n{mark}"


def _joined(value: Any) -> str:
    return "".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else ""
