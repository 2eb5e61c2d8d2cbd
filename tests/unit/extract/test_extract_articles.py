"""In: articles with what sites set around and into them, written for each kind. Out: the article's own words."""

from __future__ import annotations

import pytest

from pincite.extract import html, rules

LONG = "This sentence belongs to the article and says something that takes its time. " * 3
OTHER = "Another story altogether, which leads readers away and has sentences of its own. " * 3


def words(body: str, head: str = "") -> str:
    head += '<meta property="og:type" content="article">'
    page = html.read(f"<html><head>{head}</head><body>{body}</body></html>", "https://n.example.org/a", rules.shipped())
    assert page.rule == "article"
    return page.text


SET_INTO = {
    "share bars": '<div class="share-bar"><p>Share it with everybody you know.</p></div>',
    "newsletters": '<div class="newsletter-signup"><p>Get our best stories by mail every week.</p></div>',
    "author boxes": '<div class="author-bio"><p>She has written about boats for ten years.</p></div>',
    "captions in a line": '<p><span class="img_caption">Boats in a harbour at night</span></p>',
    "cards of people": '<p>So <span class="hovercard-block">All stories about boats</span></p>',
    "advice to read on": '<p>Read more: <a href="/b">Boats that sank last year and why they did</a></p>',
    "further reading under a heading": "<h3>More stories</h3><ul><li>Of <a href='/b'>boats</a></li><li>Of <a href='/c'>sails</a></li></ul>",
    "paragraphs of links": '<p><a href="/b">Boats in spring</a> NEW <a href="/c">Sails that last for years</a></p>',
    "a link that is a card": '<a href="/b"><h4>Boats that sank</h4><p>What happened to them last year.</p></a>',
    "a link alone, in brackets": '<p><a href="/b">Boats that sank (film)</a></p>',
    "sliders": '<div class="slider"><dl><dd>Photo by somebody at the harbour</dd></dl></div>',
}


@pytest.mark.parametrize("box", SET_INTO.values(), ids=SET_INTO)
def test_what_is_set_into_an_article_goes(box: str) -> None:
    text = words(f"<article><p>{LONG}</p>{box}<p>{LONG}</p></article>")
    assert text.count("belongs to the article") == 6
    assert not any(word in text for word in ("oats", "harbour", "Share", "best stories"))


BELONGING = {
    "addresses": ('<p><a href="https://e.org/x">https://e.org/x</a></p>', "https://e.org/x"),
    "rows that are named like players": (
        "<table><tr><th>Name</th><th>Points</th></tr><tr class='player-1'><td>Ann</td><td>5040</td></tr></table>",
        "| Ann | 5040 |",
    ),
    "quotes": ("<blockquote class='tweet'><p>Boats float, as everybody knows by now.</p></blockquote>", "> Boats float"),
    "what is said again": (f"<p>{LONG}</p>", LONG.strip()),
    "captions of figures": ("<figure><img src='b.png' alt='a boat'><figcaption>A boat.</figcaption></figure>", "![a boat]"),
}


@pytest.mark.parametrize(("part", "kept"), BELONGING.values(), ids=BELONGING)
def test_what_belongs_to_an_article_stays(part: str, kept: str) -> None:
    assert kept in words(f"<article><p>{LONG}</p>{part}<p>{OTHER}</p></article>")


def test_article_with_the_main_heading_is_the_pages_own() -> None:
    text = words(
        f"<div><article><h1>Ours</h1><p>{LONG}</p></article><article class='post'><h2>Theirs</h2><p>{OTHER * 4}</p>"
        f"<article><p>{OTHER}</p></article></article></div>"
    )
    assert "belongs to the article" in text
    assert "Another story" not in text


def test_teasers_below_an_article_are_left_out() -> None:
    text = words(f"<article><p>{LONG * 3}</p></article>" + f"<article><p>{OTHER}</p></article>" * 3)
    assert "Another story" not in text


def test_page_that_names_nothing_is_read_whole() -> None:
    text = words(f"<div><div><p>{LONG}</p></div><div><p>{OTHER}</p></div></div>")
    assert "belongs to the article" in text
    assert "Another story" in text
