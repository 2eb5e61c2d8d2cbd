"""Tables in an answer: the reader's words in rows that Markdown reads as a table, no link targets, no stray escapes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pincite.cite.printing import passage
from pincite.extract.extractor import DefaultExtractor
from pincite.types import Capture, Document, Snapshot, Span, snapshot_id

HTML = (
    b"<html><body><main><h1>Calls</h1><p>These calls are known to the machine and may be used at will.</p>"
    b"<table><thead><tr><th>Call</th><th>What</th></tr></thead><tbody>"
    b'<tr><td><a href="http://example.org/a_(b)#c"><code>collect()</code></a></td><td>Waits for <em>all</em>.</td></tr>'
    b"<tr><td><code>a | b</code></td><td>Takes either.</td></tr>"
    b"</tbody></table></main></body></html>"
)


def document(body: bytes, name: str, media_type: str) -> Document:
    at = datetime(2026, 1, 2, tzinfo=UTC)
    url = f"http://docs.example/{name}"
    capture = Capture("REF-aaaaaa", snapshot_id(body), "s", url, name, url, 200, media_type, "", "", "", at, len(body))
    return DefaultExtractor().extract(Snapshot(capture, body))


def table(made: Document) -> Span:
    return next(block.span for block in made.blocks if block.kind == "table")


def test_a_whole_html_table_prints_its_visible_words_as_a_table() -> None:
    made = document(HTML, "calls.html", "text/html")
    assert passage(made, table(made)) == "\n".join(
        ("| Call | What |", "| --- | --- |", "| collect() | Waits for all. |", r"| a \| b | Takes either. |")
    )


def test_rows_from_the_middle_get_an_empty_head_and_stay_a_table() -> None:
    made = document(HTML, "calls.html", "text/html")
    span = table(made)
    last = Span(made.text.rindex("\n", span.start, span.end) + 1, span.end)
    assert passage(made, last) == "\n".join(("|  |  |", "| --- | --- |", r"| a \| b | Takes either. |"))


@pytest.mark.parametrize(
    ("row", "printed"),
    [
        ("| [`x()`](http://e.org) | **bold** |", "| x() | bold |"),
        (r"| one \| two | three |", r"| one \| two | three |"),
        ("one | two", "| one | two |"),
        ("| ![pic](p.png) |  |", "| pic |  |"),
    ],
    ids=["link", "escaped bar", "no edges", "empty cell"],
)
def test_a_markdown_row_prints_without_marks(row: str, printed: str) -> None:
    made = document(f"# T\n\n| a | b |\n|:---|---:|\n{row}\n".encode(), "t.md", "text/markdown")
    assert passage(made, table(made)).split("\n") == ["| a | b |", "|:---|---:|", printed]
