"""Whatever the document, chunks are disjoint slices in order, within bounds, and lose no visible character."""

from hypothesis import given
from hypothesis import strategies as st

from pincite.chunk.chunker import StructureChunker
from pincite.chunk.sizes import estimate
from pincite.types import Block, Document, Section, Span

KINDS = st.sampled_from(["heading", "paragraph", "list_item", "code", "table", "term", "quote", "html"])
WORDS = st.sampled_from(
    ["run ", "a_b.c ", "x" * 90, "等待。", "Stop. ", "\n", "\n\n", "    ", "| a | b |\n", "```\n", "é́", "def f():\n", "😀"]
)
BODIES = st.lists(WORDS, min_size=1, max_size=400).map("".join).map(str.strip).filter(bool)


@st.composite
def documents(draw, kind):
    text, sections, blocks = "", [Section(0, 0, (), Span(0, 0), kind="root")], []
    for body, block_kind, opens in draw(st.lists(st.tuples(BODIES, KINDS, st.booleans()), max_size=8)):
        text += "\n\n" if text else ""
        if opens:
            parent = draw(st.integers(0, len(sections) - 1))
            path = (*sections[parent].path, f"h{len(sections)}")
            section_kind = "symbol" if kind == "code" else "heading"
            span = Span(len(text), len(text) + len(body))
            sections.append(Section(len(sections), len(path), path, span, None, 0 if kind == "code" else parent, section_kind))
        blocks.append(Block(f"b{len(blocks)}", block_kind, Span(len(text), len(text) + len(body)), len(sections) - 1))
        text += body
    return Document("doc_p", "sha256:0", "u", kind, "", text, tuple(sections), tuple(blocks), "test@1")


def hold(document):
    chunks = StructureChunker().chunk(document)
    at = 0
    for chunk in chunks:
        assert at <= chunk.span.start < chunk.span.end <= len(document.text)
        assert not document.text[at : chunk.span.start].strip()
        assert estimate(chunk.span.of(document.text)) <= 512
        at = chunk.span.end
    assert not document.text[at:].strip()


@given(documents("doc"))
def test_prose_chunks_are_disjoint_ordered_bounded_and_lossless(document):
    hold(document)


@given(documents("code"))
def test_code_chunks_are_disjoint_ordered_bounded_and_lossless(document):
    hold(document)
