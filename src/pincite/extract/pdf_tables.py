"""Tables of PDF pages that are drawn with lines.

In: the bytes of a PDF, the pages worth a look. Out: for each page its tables: where they stand, and their cells. A page whose drawing
can't be read, or takes too long to read, has none; its words are there as lines all the same.
"""

from __future__ import annotations

import io
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite.extract import unsafe

MAX_SECONDS = 60.0
"""Time in which a file's tables are looked for; what comes after it stays lines."""
MAX_CELLS = 5000
MAX_CELL_CHARS = 2000
"""A larger cell is a frame around text, no cell."""
MOST_PATHS = 20_000
"""Pages with more strokes are drawings."""


@dataclass(frozen=True, slots=True)
class Table:
    """Cells by row, and the box they stand in: points from the left and from the foot of the page."""

    left: float
    bottom: float
    right: float
    top: float
    rows: tuple[tuple[str, ...], ...]

    def holds(self, left: float, top: float) -> bool:
        """Say whether a line that begins there is one of the table's."""
        return self.left - 2 <= left <= self.right + 2 and self.bottom - 2 <= top <= self.top + 2


def found(body: bytes, pages: Sequence[int]) -> Mapping[int, tuple[Table, ...]]:
    """Return the tables of those pages (from 0 on), from the top down. Without the package there are none."""
    if not pages:
        return {}
    try:
        import pdfplumber
        from pdfminer.psexceptions import PSException
    except ImportError:
        return {}
    out: dict[int, tuple[Table, ...]] = {}
    ends = time.monotonic() + MAX_SECONDS
    try:
        with pdfplumber.open(io.BytesIO(body), pages=[number + 1 for number in pages]) as document:
            for page in document.pages:
                if time.monotonic() > ends:
                    break
                out[page.page_number - 1] = tuple(_tables(page))
                page.close()
    except (PSException, ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError, RecursionError, AssertionError):
        return out
    return out


def _tables(page: Any) -> Iterator[Table]:
    height = float(page.height)
    for drawn in sorted(page.find_tables(), key=lambda table: table.bbox[1]):
        rows = tuple(tuple(_cell(cell) for cell in row) for row in drawn.extract())
        if _is_table(rows):
            left, top, right, bottom = map(float, drawn.bbox)
            yield Table(left, height - bottom, right, height - top, rows)


def _cell(text: str | None) -> str:
    return " ".join(unsafe.clean(text or "").text.split())


def _is_table(rows: Sequence[Sequence[str]]) -> bool:
    cells = [cell for row in rows for cell in row]
    if len(rows) < 2 or max(map(len, rows)) < 2 or len(cells) > MAX_CELLS or max(map(len, cells)) > MAX_CELL_CHARS:
        return False
    return sum(bool(cell) for cell in cells) * 2 >= len(cells)
