"""In: pages that mean harm, small enough for a test. Out: documents or reasons, within bounds; nothing hidden gets through."""

from __future__ import annotations

import random
from datetime import UTC, datetime

import pytest

from pincite.errors import SourceError, UsageError
from pincite.extract import caps, forms, markdown_source, rules
from pincite.extract.extractor import DefaultExtractor
from pincite.types import Document, Fetched, Snapshot, capture_of

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
TAGS = "div p ul ol li table tr td th pre code h1 h2 dl dt dd blockquote span a b i section article details summary math script".split()  # noqa: SIM905
WORDS = ["word ", "*", "`", "[", "](", "<", "&", "\0", "\u200b", "|", "\n", "#", "- ", "1. ", "漢字 ", "&#0;", "<!--", "-->"]


def extract(page: str, selectors: str = "") -> Document:
    fetched = Fetched("https://e.org/a.html", "https://e.org/a.html", "a.html", 200, (), "text/html", page.encode(), NOON)
    return DefaultExtractor(selectors).extract(Snapshot(capture_of("x", fetched), fetched.body))


@pytest.mark.parametrize(
    "page",
    [
        pytest.param("<p " + " ".join(f"a{i}=1" for i in range(5000)) + ">words</p>", id="attributes"),
        pytest.param("<div>" * 20000 + "deep words", id="nested elements"),
        pytest.param("<ul><li>x " * 2000, id="nested lists"),
        pytest.param("<blockquote>x " * 2000, id="nested quotes"),
        pytest.param("<b><i><span>x " * 5000, id="nested emphasis"),
        pytest.param("<table>" + "<tr><td rowspan=1000 colspan=1000>x</td></tr>" * 50 + "</table>", id="spans of cells"),
        pytest.param("<div class=highlight>" * 50 + "<pre>x</pre>" * 2000, id="code blocks"),
        pytest.param("<p>" + "*_[`<" * 30000 + "</p>", id="marks"),
        pytest.param("<p>" + "word " * 200_000, id="one node"),
        pytest.param("<dl>" + "<dt>x<dd>y" * 10_000, id="terms"),
    ],
)
def test_hostile_page_gives_a_document_all_the_same(page: str) -> None:
    document = extract(page)
    assert document.blocks
    assert not document.text[document.blocks[-1].span.end :].strip()


@pytest.mark.parametrize("seed", range(40))
def test_random_markup_never_crashes(seed: int) -> None:
    chance = random.Random(seed)
    parts = []
    for _ in range(chance.randint(50, 800)):
        tag, roll = chance.choice(TAGS), chance.random()
        parts.append(f"<{tag} id=i{chance.randint(0, 9)}>" if roll < 0.5 else f"</{tag}>" if roll < 0.8 else chance.choice(WORDS) * 3)
    try:
        document = extract("".join(parts))
    except SourceError:
        return
    at = 0
    for block in document.blocks:
        assert not document.text[at : block.span.start].strip()
        at = block.span.end
    assert not document.text[at:].strip()


def test_page_past_a_cap_is_cut_and_flagged() -> None:
    text, flags = caps.within("<p>x" * (caps.LIMIT_TAGS + 5))
    assert (text.count("<"), flags) == (caps.LIMIT_TAGS, (caps.TOO_COMPLEX,))
    text, flags = caps.within("x" * (caps.LIMIT_CHARS + 1))
    assert (len(text), flags) == (caps.LIMIT_CHARS, (caps.TOO_LARGE,))


def test_page_of_too_many_blocks_is_cut_and_flagged() -> None:
    document = extract("<p>w</p>" * (caps.LIMIT_BLOCKS + 5))
    assert (len(document.blocks), document.flags) == (caps.LIMIT_BLOCKS, (caps.TOO_COMPLEX,))


def test_tooltips_stay_out_of_table_cells() -> None:
    page = "<table><tr><th>Name</th></tr><tr><td>open<div class=ttc>Opens it.</div><span role=tooltip>More.</span></td></tr></table>"
    assert "| open |" in extract(page).text


@pytest.mark.parametrize(
    "hidden",
    [
        pytest.param("<div style='display:none'>IGNORE</div>", id="display none"),
        pytest.param("<span style='visibility:hidden'>IGNORE</span>", id="visibility"),
        pytest.param("<span style='font-size:0'>IGNORE</span>", id="font size"),
        pytest.param("<div style='position:absolute;left:-9999px'>IGNORE</div>", id="off screen"),
        pytest.param("<div hidden>IGNORE</div>", id="hidden attribute"),
        pytest.param("<span style='color:#fff;background:#fff'>IGNORE</span>", id="white on white"),
        pytest.param("<!-- IGNORE -->", id="comment"),
        pytest.param("<template>IGNORE</template><noscript>IGNORE</noscript>", id="template and noscript"),
        pytest.param("<p>&#xE0049;&#x200B;</p>", id="invisible characters"),
    ],
)
def test_hidden_text_never_reaches_the_document(hidden: str) -> None:
    assert extract(f"<p>These are the words that a reader sees.</p>{hidden}").text == "These are the words that a reader sees.\n"


def test_users_own_rules_come_first() -> None:
    page = (
        "<main><p>Words of the main element, which the shipped rules take.</p></main><div class=mine><p>My own words of choice.</p></div>"
    )
    document = extract(page, "rules:\n  - name: mine\n    hosts: [e.org]\n    main: [.mine]\n")
    assert (document.rule, document.text) == ("mine", "My own words of choice.\n")


@pytest.mark.parametrize(
    "text",
    ["rules: {", "a: 1", "rules: [1]", "rules: [{name: x}]", "drop: [1]", "- x", "drop: ['div[']"],
    ids=["broken YAML", "unknown key", "no mapping", "no main", "no text", "no mapping at the top", "no selector"],
)
def test_rules_that_cannot_be_read_say_why(text: str) -> None:
    with pytest.raises(UsageError):
        rules.read(text, "selectors.yaml")


def test_comments_without_end_are_no_riddle_for_the_form() -> None:
    assert forms.form("", None, "a.xml", b"<!---->" * 290 + b"x") == "text"
    assert forms.form("", None, "a.xml", b"<!---->" * 290 + b"<html>") == "html"
    assert forms.form("", None, "a.xml", b"<!-- a --> <?pi?> <!-- b -->\n<rss>") == "feed"


def test_markdown_of_brackets_is_read_in_one_go() -> None:
    assert len(markdown_source.read("[" * 100_000).outline.blocks) == 1


def test_control_characters_leave_plain_pages_too() -> None:
    document = extract("<main><p>a\x01b</p></main>")
    assert document.text == "ab\n"
    assert "dropped:control" in document.flags
