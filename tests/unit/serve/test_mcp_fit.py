"""Results within a budget."""

from __future__ import annotations

from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.serve import mcp_tools
from pincite.serve.mcp_fit import cost, fence_for, fenced, fitting, shortened
from pincite.types import Passage, SearchResult

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=3000)


def passage(text: str, number: int = 0, kind: Any = "doc", score: float = 1.0) -> Passage:
    """Return a passage at the beginning of its document."""
    return Passage(
        id=f"psg_{number:024d}",
        rank=number + 1,
        score=score,
        scores={},
        kind=kind,
        ref="REF-abc123",
        source="guide",
        version="",
        path="guide.md",
        url="https://docs.example.org/guide",
        title="Guide",
        heading=("Guide", "Part"),
        symbol=None,
        paragraph=1,
        line=1,
        start=0,
        end=len(text),
        text=text,
        fetched_at=datetime(2026, 11, 30, tzinfo=UTC),
        snapshot="sha256:0",
        document="doc_0",
    )


class Shelf:
    """A library that always finds the same passages."""

    def __init__(self, passages: list[Passage], unknown: tuple[str, ...] = ()) -> None:
        self.passages, self.unknown = passages, unknown

    def sources(self) -> tuple[Any, ...]:
        return (SimpleNamespace(slug="guide"),)

    def search(self, query: str, *, kind: str, **options: Any) -> SearchResult:
        return SearchResult(query, tuple(p for p in self.passages if p.kind == kind), self.unknown)


def asked(shelf: Shelf, **arguments: Any) -> dict[str, Any]:
    """Return the result of the tool as it goes over the wire."""
    library: Any = shelf
    return mcp_tools.ask(library, {"query": "how?", **arguments}).wire()


@given(st.lists(WORDS, max_size=12), st.integers(400, 6000), st.lists(st.text(min_size=1, max_size=30), max_size=20))
def test_a_result_never_costs_more_than_its_budget(texts: list[str], budget: int, unknown: list[str]) -> None:
    shelf = Shelf([passage(text, i, "code" if i % 3 == 0 else "doc", 10.0 - i) for i, text in enumerate(texts)], tuple(unknown))
    result = asked(shelf, max_tokens=budget)
    assert cost(result) <= budget
    shown = result["structuredContent"]["doc_results"] + result["structuredContent"]["code_results"]
    assert len(shown) + result["structuredContent"].get("omitted", 0) == len(texts)
    for p in shown:
        assert p["text"] == next(t for i, t in enumerate(texts) if p["id"].endswith(f"{i:024d}"))[: p["end"]]


def test_the_best_passages_stay_and_the_rest_has_a_link() -> None:
    shelf = Shelf([passage(f"{i} " + "word " * 200, i, score=10.0 - i) for i in range(20)])
    result = asked(shelf)
    shown = [p["id"][-2:] for p in result["structuredContent"]["doc_results"]]
    assert shown == [f"{i:02d}" for i in range(len(shown))]
    assert 0 < len(shown) < 20
    links = [part for part in result["content"] if part["type"] == "resource_link"]
    assert [link["uri"] for link in links] == [result["structuredContent"]["more"]]
    assert links[0]["uri"].endswith(f"offset={len(shown)}")


def test_prose_and_code_share_the_budget_by_score() -> None:
    shelf = Shelf([passage("a", 0, "doc", 1.0), passage("b", 1, "code", 9.0), passage("c " * 9000, 2, "doc", 8.0)])
    result = asked(shelf, max_tokens=1000)["structuredContent"]
    assert [p["text"] for p in result["code_results"]] == ["b"]
    assert result["doc_results"] == []


def test_a_passage_that_alone_is_too_long_is_cut_at_a_line_and_its_end_moved() -> None:
    text = "".join(f"line {i} of many words\n" for i in range(3000))
    kept, omitted = fitting([passage(text)], 1000)
    assert omitted == 0
    assert kept[0].text == text[: kept[0].end]
    assert kept[0].text.endswith("\n")
    assert "cut" in kept[0].flags


def test_both_kinds_of_a_type_not_asked_for_are_left_out() -> None:
    result = asked(Shelf([passage("a")]), context_type="doc")["structuredContent"]
    assert "doc_results" in result
    assert "code_results" not in result


@given(st.text(st.sampled_from("`a\n "), max_size=60))
def test_no_text_can_end_its_own_fence(text: str) -> None:
    fence = fence_for(text)
    assert fence not in text
    assert fenced(text).startswith(fence + "\n")


@given(WORDS, st.integers(0, 4000))
def test_shortening_gives_a_beginning_that_fits(text: str, most: int) -> None:
    part = shortened(text, lambda p: len(p) <= most)
    assert text.startswith(part)
    assert len(part) <= most


@pytest.mark.parametrize("when", ["yesterday", "2026-13-01", "12"])
def test_a_time_that_is_none_is_refused(when: str) -> None:
    with pytest.raises(mcp_tools.UsageError, match="as_of"):
        mcp_tools.moment(when)


@pytest.mark.parametrize(
    ("text", "hour"), [("2026-11-30", 0), ("2026-11-30T12:00:00Z", 12), ("2026-11-30T14:00:00+02:00", 12)], ids=["date", "utc", "zone"]
)
def test_a_time_without_a_zone_is_utc(text: str, hour: int) -> None:
    assert mcp_tools.moment(text) == datetime(2026, 11, 30, hour, tzinfo=UTC)
