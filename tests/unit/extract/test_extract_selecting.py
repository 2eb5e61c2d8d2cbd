"""In: selector lists, and pages. Out: what can match, and that nothing is lost by asking for less."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import UsageError
from pincite.extract import dom, rules, selecting


@pytest.mark.parametrize(
    ("selector", "wanted"),
    [
        pytest.param(".a.b", selecting.Alternative(".a.b", frozenset(("a", "b"))), id="classes"),
        pytest.param("#X > .y", selecting.Alternative("#X > .y", frozenset("y"), frozenset("x")), id="an id above a class"),
        pytest.param("div.a", selecting.Alternative("div.a", frozenset("a"), tag="div"), id="a tag with a class"),
        pytest.param("nav", selecting.Alternative("nav", tag="nav", bare=True), id="a bare tag"),
        pytest.param(
            "p:not(.a):has(.b)", selecting.Alternative("p:not(.a):has(.b)", tag="p"), id="what stands in brackets is not asked for"
        ),
        pytest.param("[href='a.b, c']", selecting.Alternative("[href='a.b, c']"), id="attributes are let through"),
        pytest.param(".a\\:b", selecting.Alternative(".a\\:b"), id="escapes are let through"),
        pytest.param("[role=search]", selecting.Alternative("[role=search]", role="search"), id="a role"),
        pytest.param("[class*=next]", selecting.Alternative("[class*=next]", part="next"), id="a part of a class"),
    ],
)
def test_selector_says_what_it_needs(selector: str, wanted: selecting.Alternative) -> None:
    assert selecting.alternatives(selector) == (wanted,)


def test_list_is_cut_at_its_own_commas() -> None:
    assert [part.selector for part in selecting.alternatives("a, b:is(c, d), [e='f,g'],, h")] == ["a", "b:is(c, d)", "[e='f,g']", "h"]


_SHIPPED = rules.shipped()
_LISTS = [
    _SHIPPED.drop,
    _SHIPPED.marks,
    *(rule.drop for rule in _SHIPPED.rules if rule.drop),
    *(m for rule in _SHIPPED.rules for m in rule.main),
]
_NAMES = sorted({name for text in _LISTS for part in selecting.alternatives(text) for name in part.classes | part.ids})
_elements = st.builds(
    lambda tag, name, value: f"<{tag} {name}='{value}'>",
    st.sampled_from(["div", "p", "a", "h1", "table", "main", "NAV", "meta", "body", "article", "math"]),
    st.sampled_from(["class", "id", "role", "CLASS"]),
    st.sampled_from([*_NAMES, *(name.upper() for name in _NAMES), "x", "navigation"]),
)


@given(st.lists(_elements, max_size=12), st.sampled_from(_LISTS), st.booleans())
def test_page_is_asked_for_less_and_gives_the_same(elements: list[str], selector: str, quirks: bool) -> None:
    page = dom.parse(("" if quirks else "<!doctype html>") + "".join(elements))
    full = page.document.select(selector)
    assert page.select(selector) == full
    assert set(page.having(selector)) == set(full)


@pytest.mark.parametrize("selector", ["p:nope(", "p[", "p.a:nope("])
def test_selector_that_cannot_be_read_says_so(selector: str) -> None:
    with pytest.raises(UsageError, match="can't be read"):
        dom.parse("<p class=a>x").having(selector)
