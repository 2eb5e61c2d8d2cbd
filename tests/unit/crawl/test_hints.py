"""What pages say to a crawler, traps, and rules for answers."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pincite.crawl import answers, hints, ranking
from pincite.crawl.traps import MAX_SEGMENTS, Traps, without_session
from pincite.types import Fetched

TEXT = "Clay is dried before it is fired. " * 12
NOW = datetime(2026, 1, 2, tzinfo=UTC)


def made(html: str, *, status: int = 200, url: str = "https://docs.example/a/", **headers: str) -> Fetched:
    fields = tuple((k.replace("_", "-"), v) for k, v in headers.items())
    return Fetched(url, url, url, status, fields, "text/html", html.encode(), NOW)


SCRIPTED = {
    "an empty root": (f"<body><div id=root></div><script src=a.js></script><p>{'x' * 300}", True),
    "asks for scripts": (f"<body><noscript>x</noscript><p>Please enable JavaScript to go on. {TEXT}</p><script></script>", True),
    "little text": ("<body><p>Loading</p><script>go()</script>", True),
    "little text without scripts": ("<body><p>Short</p>", False),
    "plain page": (f"<body><p>{TEXT}</p><script>count()</script>", False),
    "long page about scripts": (f"<body><p>You need JavaScript. {TEXT * 5}</p><script></script>", False),
}


@pytest.mark.parametrize(("html", "needs"), SCRIPTED.values(), ids=SCRIPTED)
def test_a_page_that_needs_scripts_is_known(html: str, needs: bool) -> None:
    assert hints.needs_scripts(made(html)) is needs


def test_only_visible_text_counts() -> None:
    html = f"<head><title>{TEXT}</title></head><style>{TEXT}</style><script>{TEXT}</script><!-- {TEXT} --><p>one&nbsp; two</p>"
    assert hints.text_chars(html.encode()) == len("one two")


MOVES = {
    "quoted": ('<meta http-equiv="refresh" content="0; url=../b">', "https://docs.example/b"),
    "bare": ("<META content='1;URL=/c?x=1&amp;y=2' HTTP-EQUIV=Refresh>", "https://docs.example/c?x=1&y=2"),
    "inner quotes": ("<meta http-equiv=refresh content=\"0;url='/d'\">", "https://docs.example/d"),
    "a clock that reloads": ('<meta http-equiv="refresh" content="300">', ""),
    "much later": ('<meta http-equiv="refresh" content="60; url=/e">', ""),
}


@pytest.mark.parametrize(("html", "url"), MOVES.values(), ids=MOVES)
def test_a_refresh_is_a_redirect(html: str, url: str) -> None:
    assert hints.moved_to(made(html)) == url


def test_a_soft_404_needs_the_title_and_little_text() -> None:
    assert hints.is_lost(made("<title>404 Not Found</title><p>Sorry</p>"))
    assert not hints.is_lost(made(f"<title>Errors: not found</title><p>{TEXT * 4}</p>"))
    assert not hints.is_lost(made("<title>Glaze</title><p>not found</p>"))


VARIANTS = {
    "slash": ("https://d.example/a", "https://d.example/a/", True),
    "index page": ("https://d.example/a/", "http://www.d.example/A/index.html", True),
    "query": ("https://d.example/a?x=1", "https://d.example/a", True),
    "another page": ("https://d.example/a", "https://d.example/b", False),
    "another version": ("https://d.example/1/a", "https://d.example/2/a", False),
}


@pytest.mark.parametrize(("one", "other", "same"), VARIANTS.values(), ids=VARIANTS)
def test_only_spellings_of_one_page_may_be_merged(one: str, other: str, same: bool) -> None:
    assert hints.are_variants(one, other) is same


SESSIONS = {
    "query": ("https://d.example/a?PHPSESSID=1f&b=2", "https://d.example/a?b=2"),
    "path": ("https://d.example/a;jsessionid=9?x=1", "https://d.example/a?x=1"),
    "none": ("https://d.example/a?page=2", "https://d.example/a?page=2"),
}


@pytest.mark.parametrize(("url", "bare"), SESSIONS.values(), ids=SESSIONS)
def test_a_session_is_no_part_of_a_url(url: str, bare: str) -> None:
    assert without_session(url) == bare


def test_deep_and_circling_paths_are_traps_and_long_docs_are_not() -> None:
    traps = Traps()
    assert traps.catches("https://d.example/" + "/".join(f"s{n}" for n in range(MAX_SEGMENTS + 1)))
    assert traps.catches("https://d.example/a/b/a/b/a/b/")
    assert not traps.catches("https://d.example/api/v2/api/v3/")
    assert not any(traps.catches(f"https://d.example/pep-{n:04}/") for n in range(900))


def test_a_server_says_how_long_to_wait_in_seconds_or_as_a_date() -> None:
    assert answers.retry_after_s(made("", retry_after="7"), NOW) == 7
    assert answers.retry_after_s(made("", retry_after="Fri, 02 Jan 2026 00:00:09 GMT"), NOW) == 9
    assert answers.retry_after_s(made("", retry_after="Fri, 02 Jan 2015 00:00:09 GMT"), NOW) == 0
    assert answers.retry_after_s(made("", retry_after="soon"), NOW) is None


def test_wishes_about_indexing_are_recorded() -> None:
    page = made('<meta name="robots" content="noarchive, follow">', X_Robots_Tag="noindex")
    assert answers.robots_flags(page) == ("noarchive", "noindex")
    assert answers.robots_flags(made(TEXT)) == ()


CHALLENGES = {
    "cloudflare": (made('<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x"></script>', status=403), True),
    "by header": (made("x", status=403, cf_mitigated="challenge"), True),
    "docs about challenges": (made(f"<title>Challenge pages</title><p>/cdn-cgi/challenge-platform/ is {TEXT}</p>"), False),
    "title alone": (made(f"<title>Access denied</title><p>{TEXT}</p>"), False),
}


@pytest.mark.parametrize(("page", "is_one"), CHALLENGES.values(), ids=CHALLENGES)
def test_a_bot_challenge_is_no_content(page: Fetched, is_one: bool) -> None:
    assert answers.is_challenge(page) is is_one


def test_links_that_hold_the_questions_words_come_first() -> None:
    score = ranking.by_words("glaze firing temperature")
    links = ["https://d.example/about", "https://d.example/firing/glazes", "https://d.example/glaze"]
    assert sorted(links, key=score, reverse=True) == [links[1], links[2], links[0]]


@pytest.mark.parametrize(
    ("head", "named"),
    [
        ('<link rel="alternate" type="application/rss+xml" href="/news.xml">', ["https://docs.example/news.xml"]),
        ("<link type=application/atom+xml rel=alternate href=feed.atom>", ["https://docs.example/a/feed.atom"]),
        ("<LINK REL=sitemap HREF='../map.xml'>", ["https://docs.example/map.xml"]),
        ('<link rel="alternate" hreflang="de" href="/de/">', []),
        ('<link rel="alternate" type="application/rss+xml" href="javascript:void(0)">', []),
        ('<link rel="stylesheet" href="/a.css"><a rel=alternate type=application/rss+xml href=/no>', []),
    ],
    ids=["rss", "atom, type first", "sitemap", "another language", "no address", "no link element"],
)
def test_feeds_and_sitemaps_that_a_page_names_are_found(head: str, named: list[str]) -> None:
    assert list(hints.feeds(made(f"<head>{head}</head><p>{TEXT}</p>"))) == named
