"""In: Markdown that we wrote. Out: sections, blocks and what a reader sees of them."""

from __future__ import annotations

import pytest

from pincite.extract import inline_marks, markdown_source
from pincite.types import Document, Span


def document(text: str) -> Document:
    page = markdown_source.read(text)
    sections, blocks = page.outline.finish(len(text))
    return Document("doc_x", "sha256:x", "", "doc", "", text, sections, blocks, "markdown@1")


def seen(text: str) -> list[tuple[str, str]]:
    made = document(text)
    return [(b.kind, made.visible(b.span)) for b in made.blocks]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        pytest.param("# One #\n\ntext\n", [("heading", "One"), ("paragraph", "text")], id="heading with closing marks"),
        pytest.param("One\n===\n\nTwo\n---\n", [("heading", "One"), ("heading", "Two")], id="setext headings"),
        pytest.param("a\n\n---\n\nb\n", [("paragraph", "a"), ("html", ""), ("paragraph", "b")], id="a rule is no setext heading"),
        pytest.param("```sh\n# comment\n```\n", [("code", "# comment")], id="a comment in a fence is no heading"),
        pytest.param("````md\n```py\nx\n```\n````\n", [("code", "```py\nx\n```")], id="a fence in a longer fence"),
        pytest.param("~~~\n```\n~~~\n", [("code", "```")], id="a fence in another mark"),
        pytest.param("```py\nx = 1\n", [("code", "x = 1")], id="a fence that never ends"),
        pytest.param("- a\n- b **c**\n  more\n", [("list_item", "a"), ("list_item", "b c\nmore")], id="a list"),
        pytest.param("- a\n\n  ```py\n  x\n  ```\n", [("list_item", "a"), ("code", "x")], id="a fence in a list item"),
        pytest.param("> a\n> b\n>\n> c\n", [("quote", "a\nb"), ("quote", "c")], id="a quote with an empty line"),
        pytest.param("> a\n>\n\nb\n", [("quote", "a"), ("html", ""), ("paragraph", "b")], id="an empty line at a quote's end"),
        pytest.param("> ```\n> x\n> ```\n", [("code", "x")], id="a fence in a quote"),
        pytest.param("<!-- # no\n\n# heading -->\n\ntext\n", [("html", ""), ("paragraph", "text")], id="a comment over an empty line"),
        pytest.param("---\ntitle: T\n---\n# H\n", [("front_matter", ""), ("heading", "H")], id="front matter"),
        pytest.param("text\n\n    code\n      more\n", [("paragraph", "text"), ("code", "code\n  more")], id="indented code"),
        pytest.param("| a | b |\n|---|---|\n| `c` | d |\n", [("table", " a  b \n c  d ")], id="a table"),
        pytest.param("$$\nx^2\n$$\n", [("math", "\nx^2\n")], id="a formula"),
        pytest.param("[r]: https://e.org\n\nsee [r] now\n", [("html", ""), ("paragraph", "see r now")], id="a reference"),
        pytest.param("# T {#own}\n", [("heading", "T")], id="an explicit id"),
    ],
)
def test_blocks_and_what_is_seen_of_them(text: str, blocks: list[tuple[str, str]]) -> None:
    assert seen(text) == blocks


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        pytest.param("a **b** c", "a b c", id="strong"),
        pytest.param("***a***", "a", id="strong and emphasised"),
        pytest.param("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4", id="no emphasis inside words or between spaces"),
        pytest.param("`` a`b `` c", "a`b c", id="a tick in code"),
        pytest.param("`*not*`", "*not*", id="no emphasis in code"),
        pytest.param("[a *b*](https://e.org/(x) 'title')", "a b", id="a link with parentheses and title"),
        pytest.param("![alt](i.png)", "alt", id="an image"),
        pytest.param("<https://e.org>", "https://e.org", id="an autolink"),
        pytest.param(r"\*a\* \_b", "*a* _b", id="escapes"),
        pytest.param("a <b>c</b><!-- d -->", "a c", id="tags and comments"),
        pytest.param("x < y and y > z", "x < y and y > z", id="comparisons are no tags"),
        pytest.param("~~a~~ ~b~", "a ~b~", id="struck out"),
        pytest.param("[not a link] at all", "[not a link] at all", id="brackets alone"),
        pytest.param("a\\\nb", "a\nb", id="a hard break"),
    ],
)
def test_marks_are_hidden_and_words_are_not(text: str, visible: str) -> None:
    at, parts = 0, []
    for mark in [*inline_marks.hidden(text, 0, len(text)), Span(len(text), len(text))]:
        parts.append(text[at : mark.start])
        at = mark.end
    assert "".join(parts) == visible


def test_sections_nest_by_level_and_keep_explicit_ids() -> None:
    made = document("# A\n\n## B {#bee}\n\ntext\n\n### C\n\n## D\n")
    assert [(s.path, s.anchor) for s in made.sections] == [
        ((), None),
        (("A",), None),
        (("A", "B"), "bee"),
        (("A", "B", "C"), None),
        (("A", "D"), None),
    ]
    assert made.sections[2].span.of(made.text).startswith("## B")
    assert made.sections[2].span.end == made.sections[4].span.start
    assert made.blocks[2].anchor == "bee"


def test_paragraphs_count_from_one_in_each_section() -> None:
    made = document("# A\n\none\n\ntwo\n\n## B\n\nthree\n")
    assert [(b.kind, b.paragraph) for b in made.blocks] == [
        ("heading", None),
        ("paragraph", 1),
        ("paragraph", 2),
        ("heading", None),
        ("paragraph", 1),
    ]


def test_code_knows_its_language_and_the_sentence_before_it() -> None:
    made = document("Run this:\n\n```py title='x'\nx\n```\n")
    assert (made.blocks[1].language, made.blocks[1].lead) == ("py", "b1")
