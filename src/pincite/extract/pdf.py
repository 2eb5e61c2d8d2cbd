"""PDF files: text in reading order with page numbers, headings from the outline and from font sizes.

In: bytes. Out: an `Ink`, and the title. Running heads and feet are left out, words cut at line ends joined, tables drawn with lines are
tables. Raises SourceError for a file that is damaged, locked, or holds pictures of text only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pincite.errors import SourceError
from pincite.extract import pdf_tables, unsafe
from pincite.extract.ink import Ink, Piece

MAX_PAGES = 2000
LEAST_PATHS = 4
"""Strokes that a page with a table has at least: four cells as boxes."""
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class _Line:
    page: int
    text: str
    size: float
    top: float
    left: float
    rows: tuple[tuple[str, ...], ...] = ()
    """The cells of a table, which stands in the place of its lines."""


def read(body: bytes) -> tuple[Ink, str]:
    """Read a PDF file."""
    try:
        import pypdfium2
        import pypdfium2.raw as raw
    except ImportError as error:
        raise SourceError("PDF files need `pip install 'pincite[pdf]'`.", rule="extra") from error
    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError as error:
        raise SourceError(f"This PDF can't be opened: {error}.", rule="unreadable") from error
    try:
        numbers = range(min(len(document), MAX_PAGES))
        lines = [line for number in numbers for line in _page(document, number, raw)]
        tables = pdf_tables.found(body, [number for number in numbers if _drawn(document, number, raw)])
        marks = {(item.page_index, _key(item.title)): item.level + 1 for item in _outline(document)}
        title = str(document.get_metadata_dict().get("Title") or "").strip()
    finally:
        document.close()
    if not any(line.text.strip() for line in lines):
        raise SourceError("This PDF holds no text, only pictures: it would have to be read by OCR first.", rule="empty")
    return _written(_without_running(_tabled(lines, tables)), marks), title


def _drawn(document: Any, number: int, raw: Any) -> bool:
    """Say whether a page has strokes enough for a table."""
    page = document[number]
    strokes = sum(1 for _ in islice(page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH], max_depth=3), pdf_tables.MOST_PATHS))
    page.close()
    return LEAST_PATHS <= strokes < pdf_tables.MOST_PATHS


def _tabled(lines: list[_Line], tables: Mapping[int, tuple[pdf_tables.Table, ...]]) -> list[_Line]:
    """Put each table in the place of its first line, and leave its other lines out."""
    out: list[_Line] = []
    done: set[pdf_tables.Table] = set()
    for line in lines:
        table = next((t for t in tables.get(line.page, ()) if t.holds(line.left, line.top)), None)
        if table is None:
            out.append(line)
        elif table not in done:
            done.add(table)
            words = " ".join(cell for row in table.rows for cell in row)
            out.append(_Line(line.page, words, line.size, table.top, table.left, table.rows))
    return out


@dataclass(slots=True)
class _Mark:
    page_index: int
    title: str
    level: int


def _outline(document: Any) -> list[_Mark]:
    found = []
    for item in document.get_toc(max_depth=6):
        target = item.get_dest()
        title = item.get_title()
        if target is not None and title:
            found.append(_Mark(target.get_index() or 0, title, item.level))
    return found


def _page(document: Any, number: int, raw: Any) -> list[_Line]:
    page = document[number]
    words = page.get_textpage()
    lines: list[_Line] = []
    at = 0
    text = words.get_text_range()  # pdfium marks a word cut at a line's end with U+FFFE
    for line in re.split(r"(\r\n|\n|\r)", text):
        stripped = line.strip()
        if stripped:
            first = at + len(line) - len(line.lstrip())
            if first < words.count_chars():
                left, bottom, _, top = words.get_charbox(first)
                lines.append(
                    _Line(
                        number,
                        unsafe.clean(stripped.replace("\ufffe", "")).text,
                        round(raw.FPDFText_GetFontSize(words.raw, first), 1),
                        max(top, bottom),
                        left,
                    )
                )
        at += len(line)
    words.close()
    page.close()
    return lines


def _key(text: str) -> str:
    return re.sub(r"[\W\d]+", "", text).lower()


def _without_running(lines: list[_Line]) -> list[_Line]:
    """Leave out first and last lines that come again on other pages, page numbers aside."""
    pages: dict[int, list[_Line]] = {}
    for line in lines:
        pages.setdefault(line.page, []).append(line)
    if len(pages) < 3:
        return lines
    edges = [(id(line), _DIGITS.sub("#", line.text)) for held in pages.values() for line in (*held[:2], *held[-2:])]
    counts = Counter(words for _, words in set(edges))
    running = {key for key, words in edges if counts[words] >= max(3, len(pages) * 0.3) or words == "#"}
    return [line for line in lines if id(line) not in running]


def _written(lines: list[_Line], marks: dict[tuple[int, str], int]) -> Ink:
    ink = Ink()
    sizes = Counter[float]()
    for line in lines:
        sizes[line.size] += len(line.text)
    body = sizes.most_common(1)[0][0] if sizes else 0.0
    bigger = sorted({s for s in sizes if s > body * 1.12}, reverse=True)[:4]
    run: list[_Line] = []
    for line in lines:
        if line.rows:
            _paragraph(ink, run)
            run = []
            ink.block("table", _cells(line.rows), anchor=f"page={line.page + 1}")
            continue
        level = marks.get((line.page, _key(line.text))) or (
            bigger.index(line.size) + 1 if line.size in bigger and len(line.text) < 120 else 0
        )
        if level:
            _paragraph(ink, run)
            run = []
            anchor = f"page={line.page + 1}"
            level = min(level, 6)
            ink.outline.heading(ink.position(), level, line.text, anchor)
            ink.block("heading", [("#" * level + " ", False), (line.text, True)], anchor=anchor)
        elif run and _breaks(run[-1], line, run):
            _paragraph(ink, run)
            run = [line]
        else:
            run.append(line)
    _paragraph(ink, run)
    return ink


def _cells(rows: tuple[tuple[str, ...], ...]) -> list[Piece]:
    """Return a table's pieces; its first row is the head."""
    width = max(map(len, rows))
    out: list[Piece] = []
    for number, row in enumerate(rows):
        out.append(("\n|" if number else "|", False))
        for cell in (*row, *[""] * (width - len(row))):
            out.append((" ", True))
            for at, part in enumerate(cell.split("|")):
                out += [("\\", False), ("|", True)] if at else []
                out.append((part, True))
            out.append((" |" if cell else "|", False))
        if not number:
            out.append(("\n|" + " --- |" * width, False))
    return out


def _breaks(before: _Line, line: _Line, run: list[_Line]) -> bool:
    """Say whether a new paragraph begins: a gap, an indentation after a full stop, or another page after one."""
    step = before.top - line.top
    usual = before.size * 1.9
    ended = before.text[-1:] in '.!?:;”"'
    if line.page != before.page or step < 0:
        return ended
    return (
        step > usual
        or (ended and line.left > before.left + before.size * 0.8)
        or (ended and len(before.text) < max(len(x.text) for x in run) * 0.7)
    )


def _paragraph(ink: Ink, run: list[_Line]) -> None:
    if not run:
        return
    text = run[0].text
    for line in run[1:]:
        if text.endswith(("-", "\u00ad", "\u2010")) and line.text[:1].islower():
            text = text[:-1] + line.text
        else:
            text += " " + line.text
    ink.block("paragraph", [(text, True)], anchor=f"page={run[0].page + 1}")
