"""Answers without a model read well: the right sentence, few notes, no titles, rows in place of tables, definitions in place of indexes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import Answer, Library
from pincite.answer.choosing import points_elsewhere

PAGES = {
    "guide.html": """<main><h1>Guide to the mill</h1><h2>Grinding from elsewhere</h2>
        <p>Grain from a different barn is ground by <code>grind_remote()</code>, which hands the sack to the mill of that barn.</p>
        <p>Examples</p><p>next</p><h2>Cleaning</h2><p>Brush the stones once a week.</p></main>""",
    "calls.html": """<main><h1>Calls of the mill</h1><p>All calls of the mill are described on this page, one after the other.</p>
        <dl><dt id="mill.grind_remote"><code>mill.grind_remote(sack)</code></dt>
        <dd><p>Hand a sack of grain to the mill of a different barn. Returns a ticket.</p></dd>
        <dt id="mill.stop"><code>mill.stop()</code></dt><dd><p>Stop the stones.</p></dd></dl></main>""",
    "index.html": """<main><h1>Index of calls</h1><p>The calls of the mill in one table.</p><table><tr><th>Call</th><th>What</th></tr>"""
    + "".join(
        f'<tr><td><a href="calls.html#mill.{name}"><code>{name}()</code></a></td><td>{what}</td></tr>'
        for name, what in (
            ("grind_remote", "Grind grain from a different barn."),
            ("stop", "Stop the stones."),
            ("start", "Start the stones."),
            ("oil", "Oil the axle."),
        )
    )
    + "</table></main>",
    "limits.html": """<main><h1>Limits</h1><p>Each limit of the mill has a name and a value that may be set.</p>
        <table><tr><th>Name</th><th>Value</th></tr><tr><td>sack weight</td><td>50 kg</td></tr>
        <tr><td>axle speed</td><td>12 turns</td></tr><tr><td>water level</td><td>3 m</td></tr></table></main>""",
}


@pytest.fixture(scope="module")
def mill(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mill")
    (folder / "site").mkdir()
    for name, body in PAGES.items():
        (folder / "site" / name).write_text(f"<html><head><title>{name}</title></head><body>{body}</body></html>")
    with Library(str(folder / "t.db")) as library:
        library.add(str(folder / "site"))
    return folder / "t.db"


def asked(store: Path, question: str) -> Answer:
    with Library(str(store)) as library:
        return library.ask(question)


def test_the_page_that_defines_a_named_call_is_among_the_notes_and_an_index_does_not_lead(mill: Path) -> None:
    answer = asked(mill, "How do I grind grain from a different barn?")
    assert "mill.grind_remote" in {c.anchor for c in answer.citations[:2]}
    assert answer.citations[0].capture.path != "index.html"


def test_no_title_and_no_button_is_printed_behind_a_quote(mill: Path) -> None:
    body = asked(mill, "How do I grind grain from a different barn?").markdown.split("[^1]:")[0]
    assert "Examples" not in body
    assert "next" not in body


def test_of_a_table_only_the_rows_that_answer_are_printed(mill: Path) -> None:
    body = asked(mill, "What is the axle speed?").markdown.split("[^1]:")[0]
    assert "| axle speed | 12 turns |" in body
    assert "water level" not in body


def test_a_note_that_adds_nothing_is_not_printed(mill: Path) -> None:
    assert [c.capture.path for c in asked(mill, "How often do I brush the stones?").citations] == ["guide.html"]


def test_the_same_question_gives_the_same_answer(mill: Path) -> None:
    question = "How do I grind grain from a different barn?"
    assert asked(mill, question).markdown == asked(mill, question).markdown


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("\n".join(f"| [`f{i}()`](x#f{i}) | Does {i}. |" for i in range(6)), True),
        ("\n".join(f"- [page {i}](p{i})" for i in range(4)), True),
        ("\n".join(f"- point {i}, see [page](p{i})" for i in range(6)), False),
        ("| [a](b) | c |\n| [d](e) | f |", False),
        ("One paragraph with [a link](x) and words.", False),
    ],
    ids=["rows of links", "items of links", "items with links", "too few", "prose"],
)
def test_a_text_is_an_index_when_its_lines_begin_with_links(text: str, says: bool) -> None:
    assert points_elsewhere(text) is says
