"""In: small files of other formats, made here. Out: the documents that they become."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import UTC, datetime

import pytest

from pincite.errors import SourceError
from pincite.extract import symbols
from pincite.extract.extractor import DefaultExtractor
from pincite.types import Document, Fetched, Snapshot, capture_of

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def extract(body: bytes, path: str, media_type: str = "") -> Document:
    url = f"https://docs.example.org/{path}"
    page = Fetched(url, url, path, 200, (), media_type, body, NOON)
    return DefaultExtractor().extract(Snapshot(capture_of("docs", page), body))


def shapes(document: Document) -> list[tuple[str, str]]:
    return [(b.kind, document.visible(b.span)) for b in document.blocks]


def test_notebook_keeps_cells_and_text_output() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Words."]},
        {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}]},
        {"cell_type": "code", "source": "", "outputs": []},
    ]
    body = json.dumps({"cells": cells, "metadata": {"language_info": {"name": "python"}}, "nbformat": 4}).encode()
    document = extract(body, "a.ipynb")
    assert document.text == "# Title\n\nWords.\n\n```python\n1 + 1\n```\n\n```text\n2\n```\n"
    assert (document.title, document.blocks[2].language) == ("Title", "python")


@pytest.mark.parametrize("body", [b"{", b"[]", b'{"a": 1}'], ids=["broken", "a list", "no cells"])
def test_notebook_that_is_none_says_so(body: bytes) -> None:
    with pytest.raises(SourceError) as error:
        extract(body, "a.ipynb")
    assert error.value.rule == "unreadable"


def test_asciidoc_source_stays_as_it_is() -> None:
    text = "= Title\n:toc:\n\nSome *bold* and `code`.\n\n[[own]]\n== Part\n\n[source,java]\n----\nint a;\n----\n\n* one\n* two\n"
    document = extract(text.encode(), "a.adoc")
    assert document.text == text
    assert shapes(document) == [
        ("heading", "Title"),
        ("html", ""),
        ("paragraph", "Some bold and code."),
        ("html", ""),
        ("heading", "Part"),
        ("html", ""),
        ("code", "int a;"),
        ("list_item", "one"),
        ("list_item", "two"),
    ]
    assert (document.sections[2].anchor, document.blocks[6].language) == ("own", "java")


def test_restructured_text_keeps_its_sections_and_literal_blocks() -> None:
    text = "=====\nTitle\n=====\n\nSome ``code`` and :ref:`name`::\n\n    x = 1\n\nPart\n----\n\n.. code-block:: sh\n\n   ls\n"
    document = extract(text.encode(), "a.rst")
    assert [s.path for s in document.sections] == [(), ("Title",), ("Title", "Part")]
    assert [(b.kind, b.language) for b in document.blocks if b.kind == "code"] == [("code", None), ("code", "sh")]
    assert document.visible(document.blocks[1].span) == "Some code and name::"


MAN = r""".\" comment
.TH LS 1 2026
.SH NAME
ls \- list files
.SH OPTIONS
.TP
.BR \-a ", " \-\-all
do not ignore \fI.\fP entries
.SH EXAMPLE
.nf
$ ls \-a
.fi
"""


def test_manual_page_becomes_headings_terms_and_code() -> None:
    document = extract(MAN.encode(), "ls.1")
    assert document.text == (
        "# LS(1)\n\n## NAME\n\nls - list files\n\n## OPTIONS\n\n-a, --all\n:   do not ignore *.* entries\n\n"
        "## EXAMPLE\n\n```\n$ ls -a\n```\n"
    )


def test_feed_gives_a_heading_for_each_entry() -> None:
    body = (
        b'<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>One &amp; two</title>'
        b"<link>https://e.org/1</link><description>&lt;p&gt;First words.&lt;/p&gt;</description></item></channel></rss>"
    )
    document = extract(body, "feed.xml", "application/rss+xml")
    assert document.text == "# News\n\n## [One & two](https://e.org/1)\n\nFirst words.\n"


def test_feed_reads_no_entities() -> None:
    body = b'<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/hostname">]><rss><channel><title>T&x;</title></channel></rss>'
    assert extract(body, "feed.rss", "application/rss+xml").text == "# T&x;\n"


def test_word_document_is_read() -> None:
    pytest.importorskip("mammoth")
    words = (
        '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
        "<w:p><w:r><w:t>Some words.</w:t></w:r></w:p></w:body></w:document>"
    )
    types = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("[Content_Types].xml", types)
        archive.writestr("word/document.xml", words)
    assert extract(packed.getvalue(), "a.docx").text == "Some words.\n"


def test_other_archives_are_binary() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "words")
    with pytest.raises(SourceError) as error:
        extract(packed.getvalue(), "a.zip")
    assert error.value.rule == "binary"


def pdf(*pages: list[tuple[int, int, str]], drawn: str = "", left: int = 72) -> bytes:
    """Make a PDF whose pages hold lines (size, height on the page, words; `words@120` begins 120 points from the left), and strokes."""
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>"]
    kids = " ".join(f"{4 + 2 * i} 0 R" for i in range(len(pages)))
    objects.append(f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode())
    objects.append(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    for i, lines in enumerate(pages):
        placed = [(size, height, *words.partition("@")[::2]) for size, height, words in lines]
        content = "\n".join(f"BT /F1 {size} Tf {at or left} {height} Td ({words}) Tj ET" for size, height, words, at in placed).encode()
        content += drawn.encode()
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] "
            f"/Resources << /Font << /F1 3 0 R >> >> /Contents {5 + 2 * i} 0 R >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n%s" % (len(objects) + 1, table)
    return out + b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, start)


def test_pdf_gives_headings_by_size_joined_words_and_pages() -> None:
    pytest.importorskip("pypdfium2")
    first = [(9, 760, "Guide 1"), (20, 700, "Big title"), (10, 660, "The first sen-"), (10, 648, "tence goes on here.")]
    second = [(9, 760, "Guide 2"), (10, 700, "Another paragraph stands on this page."), (10, 688, "It has two lines.")]
    third = [(9, 760, "Guide 3"), (10, 700, "The last words.")]
    document = extract(pdf(first, second, third), "a.pdf", "application/pdf")
    assert document.text == (
        "# Big title\n\nThe first sentence goes on here.\n\nAnother paragraph stands on this page. It has two lines.\n\nThe last words.\n"
    )
    assert [b.anchor for b in document.blocks] == ["page=1", "page=1", "page=2", "page=3"]


def grid(left: int, bottom: int, widths: list[int], heights: list[int]) -> str:
    """Return the strokes of a table."""
    right, top = left + sum(widths), bottom + sum(heights)
    across = [bottom + sum(heights[:n]) for n in range(len(heights) + 1)]
    down = [left + sum(widths[:n]) for n in range(len(widths) + 1)]
    lines = [f"{left} {y} m {right} {y} l S" for y in across] + [f"{x} {bottom} m {x} {top} l S" for x in down]
    return "\n" + "\n".join(lines)


ROWS = [
    (10, 740, "Sizes are these."),
    (10, 706, "Name@76"),
    (10, 706, "Least|most@206"),
    (10, 686, "Till@76"),
    (10, 686, "4 cells@206"),
    (10, 666, "Door@76"),
    (10, 640, "All are in metres."),
]


def test_a_table_drawn_with_lines_is_a_table() -> None:
    pytest.importorskip("pdfplumber")
    document = extract(pdf(ROWS, drawn=grid(72, 660, [130, 130], [20, 20, 20])), "a.pdf", "application/pdf")
    assert document.text == (
        "Sizes are these.\n\n| Name | Least\\|most |\n| --- | --- |\n| Till | 4 cells |\n| Door | |\n\nAll are in metres.\n"
    )
    (table,) = [block for block in document.blocks if block.kind == "table"]
    assert table.anchor == "page=1"
    assert document.visible(table.span).split() == ["Name", "Least|most", "Till", "4", "cells", "Door"]


@pytest.mark.parametrize(
    "drawn",
    ["", grid(60, 600, [400], [160]), "\n" + "\n".join(f"{72 + n} 700 m {90 + n} 710 l S" for n in range(50))],
    ids=["no strokes", "a frame", "a drawing"],
)
def test_strokes_that_make_no_table_leave_the_lines(drawn: str) -> None:
    pytest.importorskip("pdfplumber")
    document = extract(pdf([(10, 700, "One line."), (10, 640, "Another one.")], drawn=drawn), "a.pdf", "application/pdf")
    assert document.text == "One line.\n\nAnother one.\n"


def test_damaged_pdf_says_so() -> None:
    pytest.importorskip("pypdfium2")
    with pytest.raises(SourceError) as error:
        extract(b"%PDF-1.4\nnothing", "a.pdf")
    assert error.value.rule == "unreadable"


CODE = {
    "javascript": ("// Adds.\nexport function add(a, b) { return a }\nclass A {\n  run(x) { }\n}\n", ["add", "A", "A.run"]),
    "typescript": ("export interface I { a: string }\nexport class C<T> {\n  m(x: number): void {}\n}\n", ["I", "C", "C.m"]),
    "go": ("package main\n\n// Run runs.\nfunc Run(a int) error { return nil }\n\nfunc (s *S) M() {}\n", ["Run", "S.M"]),
    "rust": ("/// Doc\npub struct S { a: u8 }\nimpl S {\n    pub fn new() -> Self { todo!() }\n}\n", ["S", "S", "S.new"]),
    "java": ("/** Doc. */\npublic class A {\n  @Override\n  public int f(int x) { return 1; }\n}\n", ["A", "A.f"]),
    "c": ("/* adds */\nint add(int a)\n{\n  return a;\n}\nstatic char *name(void) { return 0; }\n", ["add", "name"]),
    "cpp": ("namespace n {\ntemplate <class T> class V {\n  int size() const { return 1; }\n};\n}\n", ["n", "n.V", "n.V.size"]),
    "csharp": ("namespace N {\n  public class A {\n    public int F(int x) { return 1; }\n  }\n}\n", ["N", "N.A", "N.A.F"]),
    "ruby": ("# Doc\nmodule M\n  class A\n    def run(x)\n      1\n    end\n  end\nend\n", ["M", "M.A", "M.A.run"]),
    "php": ("<?php\nclass A {\n  public function f($x) { return 1; }\n}\nfunction g() {}\n", ["A", "A.f", "g"]),
    "kotlin": ("package a\n\nclass A {\n    fun f(): Int {\n        return 1\n    }\n}\n\nfun g(x: String) {\n}\n", ["A", "A.f", "g"]),
    "swift": ("struct A {\n  func f() -> Int { 1 }\n}\nfunc g(x: Int) {}\n", ["A", "A.f", "g"]),
    "bash": ("#!/bin/bash\n# does\nrun() {\n  echo 1\n}\nrun\n", ["run"]),
    "tsx": ("export function App() { return <div/> }\n", ["App"]),
}


@pytest.mark.parametrize(("language", "text", "names"), [(k, *v) for k, v in CODE.items()], ids=CODE)
def test_symbols_of_a_language_are_found(language: str, text: str, names: list[str]) -> None:
    pytest.importorskip("tree_sitter")
    outline = symbols.read(text, language)
    assert outline is not None
    sections, blocks = outline.finish(len(text))
    assert [s.symbol for s in sections[1:]] == names
    at = 0
    for block in blocks:
        assert not text[at : block.span.start].strip()
        at = block.span.end
    assert not text[at:].strip()


def test_symbol_carries_comment_and_signature() -> None:
    pytest.importorskip("tree_sitter")
    text = "const a = 1\n\n/**\n * Adds é.\n */\nexport function add(a, b) {\n  return a\n}\n"
    outline = symbols.read(text, "javascript")
    assert outline is not None
    sections, blocks = outline.finish(len(text))
    assert (sections[1].signature, sections[1].doc) == ("function add(a, b)", "Adds é.")
    assert sections[1].span.of(text).startswith("/**")
    assert [b.span.of(text) for b in blocks] == ["const a = 1", text[13:-1]]
