"""Headers say where a chunk stands and never enter its text."""

import pytest

from pincite.context.headers import HeaderContextualizer, first_comment, first_sentences
from pincite.types import Chunk, Context, Document, Section, Span


def document(text, kind="doc", title="", sections=None):
    root = (Section(0, 0, (), Span(0, len(text)), kind="root"),)
    return Document("doc_h", "sha256:0", "u", kind, title, text, sections or root, (), "test@1")


def chunk(text, section=0, heading=(), symbol=None, kind="doc"):
    return Chunk("chk_1", "doc_h", Span(0, len(text)), section, kind, heading, symbol)


def test_title_and_heading_trail_are_kept_apart():
    (made,) = HeaderContextualizer().contextualize(document("t", title="Guide"), [chunk("t", heading=("Guide", "Limits"))], "docs/g.md")
    assert (made.document_title, made.section_title, made.trail, made.path) == ("Guide", "Limits", ("Guide", "Limits"), "docs/g.md")


def test_without_a_title_the_path_stands_in():
    (made,) = HeaderContextualizer().contextualize(document("t"), [chunk("t")], "docs/g.md")
    assert made.document_title == "docs/g.md"


def test_a_section_named_like_its_page_is_not_said_twice():
    (made,) = HeaderContextualizer().contextualize(document("t", title="Guide"), [chunk("t", heading=("Guide",))], "g.md")
    assert made.section_title == ""


def test_a_symbol_brings_its_own_doc_comment():
    text = "class Till: ..."
    sections = (
        Section(0, 0, (), Span(0, 15), kind="root"),
        Section(1, 1, ("Till",), Span(0, 15), parent=0, kind="symbol", symbol="Till", doc="Keeps the money of a day."),
    )
    (made,) = HeaderContextualizer().contextualize(
        document(text, "code", sections=sections), [chunk(text, 1, ("Till",), "Till", "code")], "till.py"
    )
    assert made.comment == "Keeps the money of a day."


LICENCE = "/* Copyright 2020 Somebody. All rights reserved. */\n"


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        (LICENCE + "/** Sends parcels to their shelves. */\nclass A {}", "Sends parcels to their shelves."),
        ("// SPDX-License-Identifier: MIT\n\n// Sends parcels to their shelves.\nint a;", "Sends parcels to their shelves."),
        ('"""Sends parcels to their shelves."""\n', "Sends parcels to their shelves."),
        ("//! Sends parcels\n//! to their shelves.\n", "Sends parcels to their shelves."),
        ("#include <a.h>\nint a;", ""),
        (LICENCE, ""),
    ],
    ids=["javadoc", "line", "docstring", "rust", "include", "licence-only"],
)
def test_the_first_comment_that_is_no_licence_is_taken(text, comment):
    assert first_comment(text, 300) == comment


def test_a_long_comment_ends_with_a_sentence():
    assert first_sentences("One two three. Four five six. Seven.", 16) == "One two three. Four five six."


@pytest.mark.parametrize(
    ("context", "header"),
    [
        (
            Context(document_title="Guide", document_summary="This document is about: tills."),
            "Document context: the following excerpt is from a document titled 'Guide'. This document is about: tills.",
        ),
        (
            Context(document_title="Guide", section_title="Limits"),
            "Document context: the following excerpt is from a document titled 'Guide'.\n\n"
            "Section context: this excerpt is from the section titled 'Limits'.",
        ),
        (Context(section_summary="lost without a title"), ""),
    ],
    ids=["document", "both", "no-title"],
)
def test_header_has_one_paragraph_a_layer(context, header):
    assert context.header() == header
