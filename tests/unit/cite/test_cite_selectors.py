"""In: spans of small pages. Out: text fragments that are unique and encoded."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import unquote

import pytest

from pincite.cite.selectors import context, deep_link, permalink, text_fragment
from pincite.types import Span


def span_of(document, words: str, nth: int = 0) -> Span:
    at = -1
    for _ in range(nth + 1):
        at = document.text.index(words, at + 1)
    return Span(at, at + len(words))


@pytest.mark.parametrize(
    ("words", "directive"),
    [
        pytest.param("read-only, safe & fast", "text=read%2Donly%2C%20safe%20%26%20fast", id="dash, comma and ampersand"),
        pytest.param("a **bold** word", "text=a%20bold%20word", id="visible text only"),
        pytest.param("[a link](https://x.example/y)", "text=a%20link", id="no link target"),
    ],
)
def test_a_fragment_is_encoded_and_visible(page, words: str, directive: str) -> None:
    document = page("This is read-only, safe & fast here; a **bold** word and [a link](https://x.example/y) end it.\n")
    assert text_fragment(document, span_of(document, words)) == directive


def test_a_long_quote_is_given_by_start_and_end(page) -> None:
    words = "First words of it " + "and so on and on " * 20 + "until the last words come."
    document = page(words + "\n")
    directive = text_fragment(document, Span(0, len(words)))
    assert directive.startswith("text=First%20words%20of%20it%20and%20so,")
    assert directive.endswith("words%20come.")


def test_a_quote_over_two_blocks_is_given_by_start_and_end(page) -> None:
    document = page("The first paragraph ends here.\n\nThe second one begins there.\n")
    assert (
        text_fragment(document, Span(0, len(document.text) - 1))
        == "text=The%20first%20paragraph%20ends%20here.,The%20second%20one%20begins%20there."
    )


def test_a_repeated_quote_gets_what_stands_around_it(page) -> None:
    document = page("Alpha says it works well today. Beta says it works well tomorrow.\n")
    directive = unquote(text_fragment(document, span_of(document, "it works well", 1)))
    assert directive.startswith("text=")
    assert "Beta says-,it works well,-tomorrow." in directive


def test_context_is_up_to_thirty_two_visible_characters(page) -> None:
    document = page("**Some** words stand before the quote and many others stand after the quote too.\n")
    before, after = context(document, span_of(document, "the quote and"))
    assert before == "Some words stand before "
    assert after == " many others stand after the quo"


def test_an_anchor_of_the_page_comes_before_the_fragment(page) -> None:
    document = page("Some words stand here.\n")
    assert deep_link("https://e.org/p#old", "sec-1", document, Span(0, 10)) == "https://e.org/p#sec-1:~:text=Some%20words"


HUB, LAB = "https://github.com/o/kiln/blob/0c1f/", "https://gitlab.example/o/kiln/-/blob/0c1f/"


@pytest.mark.parametrize(
    ("url", "words", "link"),
    [
        (HUB + "fire.py", "two", HUB + "fire.py#L2"),
        (HUB + "fire.py", "two\nthree", HUB + "fire.py#L2-L3"),
        (HUB + "fire.py", "two\n", HUB + "fire.py#L2"),
        (HUB + "README.md", "one", HUB + "README.md?plain=1#L1"),
        (LAB + "fire.py", "two\nthree", LAB + "fire.py#L2-3"),
        ("https://bitbucket.org/o/k/src/0c1f/a.py", "two\nthree", "https://bitbucket.org/o/k/src/0c1f/a.py#lines-2:3"),
        ("https://codeberg.org/o/k/src/commit/0c1f/a.py", "three", "https://codeberg.org/o/k/src/commit/0c1f/a.py#L3"),
        ("git+file:///srv/kiln@0c1f#docs/a.md", "one", "git+file:///srv/kiln@0c1f#docs/a.md"),
    ],
    ids=[
        "GitHub",
        "several lines",
        "the line end belongs to its line",
        "shown as source",
        "GitLab",
        "Bitbucket",
        "Codeberg",
        "a local clone",
    ],
)
def test_a_permalink_names_the_lines_as_the_host_does(page, url: str, words: str, link: str) -> None:
    document = replace(page("one\ntwo\nthree\n"), blocks=())
    assert permalink(url, document, span_of(document, words)) == link
