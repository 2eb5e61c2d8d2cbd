"""Tables as Markdown: spans filled, `|` escaped, what stands in a cell on one line.

In: a table element. Out: pieces of the table, or None for one that only lays out a page.
"""

from __future__ import annotations

from dataclasses import dataclass

from pincite.extract import preformatted
from pincite.extract.dom import Element
from pincite.extract.ink import Piece
from pincite.extract.inline import Inline

MAX_CELLS = 50_000
MAX_SPAN = 100


@dataclass(slots=True)
class _Cell:
    element: Element
    again: bool = False
    """Repeats a cell that spans rows: written for the reader of the Markdown, hidden since the page shows it once."""


def rows(table: Element) -> list[list[Element]]:
    """Return the cells of each row, nested tables left alone."""
    return _ordered(table) if table.tag == "table" else _grouped(table)


def is_grid(element: Element) -> bool:
    """Say whether an element is a table that Javadoc (16 and later) draws with boxes: each row begins at a `col-first`."""
    kids = list(element.elements())
    return bool(kids) and kids[0].has("col-first") and all(any(c.startswith("col-") for c in kid.classes) for kid in kids)


def _grouped(grid: Element) -> list[list[Element]]:
    out: list[list[Element]] = []
    for kid in grid.elements():
        if kid.has("col-first") or not out:
            out.append([])
        out[-1].append(kid)
    return out


def _ordered(table: Element) -> list[list[Element]]:
    out: list[list[Element]] = []
    for kid in table.elements():
        if kid.tag == "tr":
            out.append([c for c in kid.elements() if c.tag in ("td", "th")])
        elif kid.tag in ("thead", "tbody", "tfoot"):
            out.extend(_ordered(kid))
    return out


def is_layout(table: Element) -> bool:
    """Say whether the table only places things: blocks of code, headings or tables in its cells, or a single cell."""
    if table.tag != "table":
        return False
    if table.get("role") in ("presentation", "none"):
        return True
    lines = rows(table)
    if max((len(row) for row in lines), default=0) <= 1:
        return not any(cell.tag == "th" for row in lines for cell in row) or codes(table) != []
    if any(cell.tag == "th" for row in lines for cell in row):
        return any(e.tag in ("table", "h1", "h2", "h3") and e is not table and not preformatted.is_code(e) for e in table.walk())
    return any(e.tag in ("table", "h1", "h2", "h3", "h4", "h5") and e is not table and not preformatted.is_code(e) for e in table.walk())


def codes(table: Element) -> list[Element]:
    """Return the code blocks in a table's cells."""
    found: list[Element] = []
    stack = [table]
    while stack:
        element = stack.pop()
        if element is not table and (element.tag == "pre" or preformatted.is_code(element)):
            found.append(element)
        else:
            stack.extend(reversed(list(element.elements())))
    return found


def pieces(table: Element, inline: Inline) -> list[Piece] | None:
    """Return the table's pieces, or None where it has no words."""
    grid = _grid(rows(table))
    width = max((len(row) for row in grid), default=0)
    if not width or not any(cell is not None and cell.element.text().strip() for row in grid for cell in row):
        return None
    head_first = all(
        cell is None or cell.element.tag == "th" or cell.element.has("table-header") or _in_head(cell.element) for cell in grid[0]
    )
    out: list[Piece] = []
    inline.in_table = True
    try:
        if not head_first:
            grid.insert(0, [None] * width)
        for i, row in enumerate(grid):
            if i:
                out.append(("\n", True))
            _row(row, width, inline, out)
            if i == 0:
                out.append(("\n|" + " --- |" * width, False))
    finally:
        inline.in_table = False
    return out


def _in_head(cell: Element) -> bool:
    return any(a.tag == "thead" for a in cell.ancestors())


def _row(row: list[_Cell | None], width: int, inline: Inline, out: list[Piece]) -> None:
    out.append(("|", False))
    for i in range(width):
        cell = row[i] if i < len(row) else None
        out.append((" ", True))
        if cell is not None:
            inner = [p if p[0] != "\n" else (" ", True) for p in inline.pieces(cell.element.kids)]
            out += [(text, False) for text, _ in inner] if cell.again else inner
            if inner:
                out.append((" ", True))
        out.append(("|", False))


def _grid(source: list[list[Element]]) -> list[list[_Cell | None]]:
    grid: list[list[_Cell | None]] = []
    carried: dict[int, tuple[int, Element]] = {}
    total = 0
    for row in source:
        line: list[_Cell | None] = []
        for cell in row:
            _carry(line, carried)
            across, down = _span(cell, "colspan"), _span(cell, "rowspan")
            for i in range(across):
                if down > 1:
                    carried[len(line)] = (down - 1, cell)
                line.append(_Cell(cell) if i == 0 else None)
            total += across
        _carry(line, carried)
        total += len(line)
        if total > MAX_CELLS:
            break
        if any(cell is not None and not cell.again for cell in line):
            grid.append(line)
    return grid


def _carry(line: list[_Cell | None], carried: dict[int, tuple[int, Element]]) -> None:
    while len(line) in carried:
        at = len(line)
        left, cell = carried[at]
        line.append(_Cell(cell, again=True))
        if left <= 1:
            del carried[at]
        else:
            carried[at] = (left - 1, cell)


def _span(cell: Element, name: str) -> int:
    value = cell.get(name).strip()
    return max(1, min(int(value), MAX_SPAN)) if value.isdigit() and len(value) < 6 else 1
