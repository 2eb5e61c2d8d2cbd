"""A term map finds what is called by another name and never touches the text."""

import pytest

from pincite.context.terms import TermMap, TermWriter
from pincite.errors import UsageError
from pincite.types import Chunk, Context, Document, Section, Span

MAP = TermMap({"ML": ["machine learning", "learning"], "HTML": ["markup language", "web pages"]})


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Machine Learning for all", ("ML",)),
        ("machine\n  learning", ("ML",)),
        ("web pages and machine learning", ("HTML", "ML")),
        ("relearning is no learner", ()),
        ("ML stands here already", ()),
        ("", ()),
    ],
    ids=["any case", "over a line's end", "in the text's order", "inside a word", "the term itself", "empty"],
)
def test_aliases_are_found_at_word_boundaries(text, terms):
    assert MAP.found(text) == terms


def test_the_longest_alias_wins():
    terms = TermMap({"long": ["page cache size"], "short": ["cache"]})
    assert terms.found("the page cache size") == ("long",)
    assert terms.found("the cache and the page cache size") == ("short", "long")


def test_an_alias_of_two_terms_means_both():
    assert TermMap({"a": ["x y"], "b": ["X Y"]}).found("x y") == ("a", "b")


def test_an_alias_with_marks_is_found():
    assert TermMap({"C plus plus": ["C++"]}).found("written in C++, mostly") == ("C plus plus",)


@pytest.mark.parametrize("line", ["ML", "ML=", "=machine learning", " = | "], ids=["no mark", "no alias", "no term", "blanks"])
def test_a_line_that_is_none_is_told_with_the_right_form(line):
    with pytest.raises(UsageError, match="term=alias"):
        TermMap.read([line])


def test_lines_are_read_and_joined():
    assert TermMap.read(["ML = machine learning | statistics", "ML=learning"]).found("statistics, learning") == ("ML",)


def test_an_empty_map_finds_nothing():
    assert not TermMap({})
    assert TermMap({}).found("anything") == ()


def test_terms_go_beside_the_text_and_leave_it_alone():
    text = "Machine learning is used here."
    document = Document("doc_t", "sha256:0", "u", "doc", "T", text, (Section(0, 0, (), Span(0, len(text)), kind="root"),), (), "test@1")
    chunk = Chunk("chk_1", "doc_t", Span(0, len(text)), 0, "doc")
    (made,) = TermWriter(MAP).written(document, (chunk,), (Context(document_title="T"),))
    assert made.terms == ("ML",)
    assert "ML" not in made.above(text)
    assert document.text == text


@pytest.mark.parametrize(
    ("question", "meant"),
    [("How does Machine  Learning work?", "How does ML work?"), ("What are web pages?", "What are HTML?"), ("Plain words", "Plain words")],
    ids=["an alias", "another", "none"],
)
def test_a_question_is_asked_in_the_terms_of_the_map(question, meant):
    assert MAP.meant(question) == meant
