"""In: small documents made by hand. Out: what a reader sees of a span, and where each character stands."""

from __future__ import annotations

import pytest

from pincite.types import Block, Document, Section, Span

TEXT = "# Title\n\nSee **bold** and [a link](https://e.org/x).\n\n    plain\n"
BLOCKS = (
    Block("b1", "heading", Span(0, 7), 1, hidden=(Span(0, 2),)),
    Block("b2", "paragraph", Span(9, 52), 1, 1, hidden=(Span(13, 15), Span(19, 21), Span(26, 27), Span(33, 51))),
    Block("b3", "code", Span(54, 63), 1, 2),
)
DOCUMENT = Document(
    id="doc_x",
    snapshot="sha256:x",
    base_url="https://e.org/",
    kind="doc",
    title="Title",
    text=TEXT,
    sections=(Section(0, 0, (), Span(0, len(TEXT)), kind="root"), Section(1, 1, ("Title",), Span(0, len(TEXT)), parent=0)),
    blocks=BLOCKS,
    extractor="markdown@1",
)


@pytest.mark.parametrize(
    ("span", "seen"),
    [
        pytest.param(Span(0, 7), "Title", id="a heading without its mark"),
        pytest.param(Span(9, 52), "See bold and a link.", id="a paragraph without marks and targets"),
        pytest.param(Span(14, 20), "bold", id="a span that starts and ends inside marks"),
        pytest.param(Span(35, 40), "", id="a span inside a link target"),
        pytest.param(Span(0, len(TEXT)), "Title\n\nSee bold and a link.\n\n    plain\n", id="the whole text with the space between blocks"),
        pytest.param(Span(7, 9), "\n\n", id="the space between two blocks"),
        pytest.param(Span(5, 5), "", id="an empty span"),
    ],
)
def test_visible_text_leaves_out_what_is_hidden(span: Span, seen: str) -> None:
    assert DOCUMENT.visible(span) == seen


def test_each_visible_character_knows_its_place() -> None:
    text, offsets = DOCUMENT.visible_map(Span(0, len(TEXT)))
    assert len(text) == len(offsets)
    assert all(TEXT[at] == char for char, at in zip(text, offsets, strict=True))
    assert list(offsets) == sorted(set(offsets))


def test_blocks_of_a_span_are_those_that_it_touches() -> None:
    assert [b.id for b in DOCUMENT.blocks_in(Span(6, 10))] == ["b1", "b2"]
    assert DOCUMENT.blocks_in(Span(7, 9)) == ()
