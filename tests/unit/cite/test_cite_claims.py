"""In: claims and a page written here. Out: what the page says to them, by numbers, names, defaults, exceptions and negations."""

from __future__ import annotations

import pytest

from pincite.cite.claims import check
from pincite.cite.facts import facts
from pincite.cite.haystack import Haystacks
from pincite.cite.page_claims import judge

PAGE = """# Pool settings

The pool opens connections on first use. With these settings the pool allows at most 40 connections to be open at any time.

`pool_mode` decides how connections are shared; lazy (default), eager or pinned.

Idle connections are closed after fifteen minutes. The limit `max_idle` defaults to 12.

The pool does not follow server redirects. Projects should not set `pool_id` directly.

A FileStore keeps sessions on disk for all backends, unless the memory backend is in use.

## Workers

The default is only 2 workers. Each worker calls `rollback()` when a connection is returned.

如果磁盘已满，新的条目将被拒绝。
"""

CALLS = """# Calls of the mill

## mill.grind(sack, coarse=False, stones=2)

Grind a sack of grain to flour and return its weight. Raises no error when the sack is empty.

## mill.sift(flour)

Sift flour through the sieve of the mill. The result is a bag instead of a sack.

## SPEED

Default: `False`

Whether the stones turn at double speed.

## Signals

| Signal | Meaning |
|---|---|
| HALT | Cold stop, the stones are lifted at once |
| REST | Warm stop, wait for the sack in work |

## Rules

The miller is not paid if the flour is burnt. If the sluice is open, the first wheel turns before the others.

Brass is the default metal of the axle. Visitors count as guests, except that they pay at the gate.
"""

SPEAKS = [
    ("The pool opens connections on first use.", "lexical"),
    ("“Idle connections are closed after fifteen minutes.”", "lexical"),
    ("At most 40 connections can be open at any time with these settings.", "lexical"),
    ("Connections that idle are closed after 15 minutes.", "lexical"),
    ("The default of max_idle is 12.", "lexical"),
]
AGAINST = [
    ("With these settings the pool allows at most 30 connections to be open.", "number"),
    ("Idle connections are closed after five minutes.", "number in words"),
    ("max_idle is 20 by default.", "number that stands nowhere"),
    ("The default is four workers.", "number with the same unit"),
    ("By default pool_mode is eager and connections are shared so.", "default"),
    ("Projects should set pool_id directly.", "dropped negation"),
    ("The pool follows server redirects.", "dropped negation"),
    ("With the memory backend a FileStore keeps sessions on disk.", "exception"),
    ("`pool_size` decides how connections are shared.", "name"),
    ("“Idle connections are closed after fifty minutes.”", "quote"),
]


@pytest.mark.parametrize(("claim", "support"), SPEAKS, ids=[c for c, _ in SPEAKS])
def test_what_the_page_says_is_not_failed(page, claim: str, support: str) -> None:
    assert judge(claim, [page(PAGE)], None, Haystacks()).support == support


@pytest.mark.parametrize(("claim", "why"), AGAINST, ids=[f"{w}: {c}" for c, w in AGAINST])
def test_what_the_page_contradicts_is_failed_with_a_reason(page, claim: str, why: str) -> None:
    found = judge(claim, [page(PAGE)], None, Haystacks())
    assert found.support == "failed"
    assert found.why


@pytest.mark.parametrize(
    ("claim", "why"),
    [
        ("SPEED is True by default.", "the page's default is false"),
        ("The coarse argument of mill.grind defaults to True.", "the page's default is false"),
        ("The stones parameter defaults to 4.", "4"),
        ("Iron is the default metal of the axle.", "the page's default is Brass"),
        ("HALT asks for a warm stop.", "the table says it of REST, not of HALT"),
        ("The miller is paid if the flour is burnt.", "negates"),
        ("mill.sift grinds a sack of grain to flour and returns its weight.", "the page says it of grind"),
        ("If the sluice is open, the last wheel turns before the others.", "the page says first, not last"),
    ],
)
def test_what_stands_under_another_name_row_or_sign_speaks_against_a_claim(page, claim: str, why: str) -> None:
    found = judge(claim, [page(CALLS)], None, Haystacks())
    assert found.support == "failed", found
    assert why in found.why


@pytest.mark.parametrize(
    "claim",
    [
        "SPEED is False by default.",
        "The coarse argument of mill.grind defaults to False.",
        "The stones parameter defaults to 2.",
        "Brass is the default metal of the axle.",
        "HALT asks for a cold stop.",
        "REST asks for a warm stop.",
        "The miller is not paid if the flour is burnt.",
        "mill.grind grinds a sack of grain to flour and returns its weight.",
        "mill.sift sifts flour.",
        "The first wheel turns before the others.",
        "Visitors pay at the gate.",
        "Sifting gives a bag.",
    ],
)
def test_what_stands_under_its_own_name_row_and_sign_is_not_failed(page, claim: str) -> None:
    assert judge(claim, [page(CALLS)], None, Haystacks()).support != "failed"


@pytest.mark.parametrize("claim", ["The pool is painted green on Tuesdays.", "Pools can be exported as audio."])
def test_what_the_page_does_not_speak_of_is_never_entailed(page, claim: str) -> None:
    assert judge(claim, [page(PAGE)], None, Haystacks()).support in ("unchecked", "failed")


def test_without_a_page_a_claim_is_unchecked() -> None:
    assert judge("Anything.", [], None, Haystacks()).support == "unchecked"


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        pytest.param("at most 5,000 entries", {5000.0}, id="thousands"),
        pytest.param("three times", {3.0}, id="a word"),
        pytest.param("2.5 seconds", {2.5}, id="a decimal"),
        pytest.param("one hour", {1.0}, id="one with a unit"),
        pytest.param("one of them", set(), id="one as a pronoun"),
        pytest.param("只有一行", {1.0}, id="Chinese"),
        pytest.param("80 %", {80.0}, id="per cent"),
    ],
)
def test_numbers_are_read_by_value(text: str, numbers: set[float]) -> None:
    assert facts(text).numbers == numbers


@pytest.mark.parametrize(
    ("sentence", "quoted", "support"),
    [
        pytest.param("The limit is 12.", "max_idle defaults to 12.", "unchecked", id="a number that stands there"),
        pytest.param("The limit is 13.", "max_idle defaults to 12.", "failed", id="a number that does not"),
        pytest.param("Set max_idle to 12.", "max_idle defaults to 12.", "lexical", id="a name that stands there"),
        pytest.param("Set min_idle to 12.", "max_idle defaults to 12.", "failed", id="a name that does not"),
        pytest.param("It may be restarted.", "It must be restarted.", "failed", id="another modal"),
        pytest.param("See http://x.example/a.", "It must be restarted.", "failed", id="a link of its own"),
        pytest.param("磁盘已满时拒绝新条目。", "If the disk is full, new entries are rejected.", "unchecked", id="another language"),
    ],
)
def test_a_sentence_may_say_no_more_than_its_quote(sentence: str, quoted: str, support: str) -> None:
    assert check(sentence, [quoted]).support == support
