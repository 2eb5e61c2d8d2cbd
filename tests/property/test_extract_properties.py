"""For any text or page: blocks are in order, disjoint and cover all but white space; nothing is hidden outside its block."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.extract import html, markdown_source, plain, rst, rules
from pincite.types import Block, Document, Section

WORDS = st.text("ab *_`#>-[]()!<|\\~\n$:=.1", max_size=120)
INLINE = ("b", "em", "code", "a", "span", "sub", "kbd", "q", "del")
BLOCKS = ("p", "div", "ul", "ol", "li", "blockquote", "pre", "h2", "h3", "dl", "dt", "dd", "table", "tr", "td", "th", "details", "section")


@st.composite
def markup(draw: st.DrawFn, depth: int = 3) -> str:
    parts = []
    for _ in range(draw(st.integers(0, 3))):
        if depth == 0 or draw(st.booleans()):
            parts.append(draw(st.text("abc *_`#>-[]()!|\\~ \n$", max_size=12)).replace("<", "&lt;"))
        else:
            tag = draw(st.sampled_from(INLINE + BLOCKS))
            parts.append(f'<{tag} id="i{draw(st.integers(0, 9))}" href="x">{draw(markup(depth=depth - 1))}</{tag}>')
    return "".join(parts)


def check(text: str, sections: tuple[Section, ...], blocks: tuple[Block, ...]) -> None:
    at = 0
    for block in blocks:
        assert at <= block.span.start < block.span.end <= len(text)
        assert not text[at : block.span.start].strip()
        inner = block.span.start
        for hidden in block.hidden:
            assert inner <= hidden.start < hidden.end <= block.span.end
            inner = hidden.end
        section = sections[block.section]
        assert section.span.start <= block.span.start
        assert block.span.end <= section.span.end
        at = block.span.end
    assert not text[at:].strip()
    assert [s.index for s in sections] == list(range(len(sections)))
    for section in sections[1:]:
        assert section.parent is not None
        above = sections[section.parent]
        assert above.span.start <= section.span.start <= section.span.end <= above.span.end


@given(WORDS)
@settings(deadline=None)
def test_blocks_of_markdown_cover_the_file(text: str) -> None:
    outline = markdown_source.read(text).outline
    check(text, *outline.finish(len(text)))


@given(WORDS)
@settings(deadline=None)
def test_blocks_of_plain_text_and_rst_cover_the_file(text: str) -> None:
    check(text, *plain.read(text).finish(len(text)))
    check(text, *rst.read(text)[0].finish(len(text)))


def squashed(text: str) -> str:
    return re.sub(r"[\s“”]+", "", text)


@given(markup())
@settings(deadline=None)
def test_what_is_visible_of_a_page_is_what_the_page_says(body: str) -> None:
    page = html.read(f"<main>{body}</main>", "https://e.org/", rules.shipped())
    check(page.text, page.sections, page.blocks)
    document = Document("doc_x", "sha256:x", "", "doc", "", page.text, page.sections, page.blocks, "html@1")
    seen = squashed("".join(document.visible(b.span) for b in page.blocks))
    said = squashed(re.sub(r"<[^>]*>", "", body))
    assert sorted(seen) == sorted(said)
