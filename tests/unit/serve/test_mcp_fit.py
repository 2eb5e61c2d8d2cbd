"""Results within a budget."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.serve import mcp_tools
from pincite.serve.ask import Shown
from pincite.serve.cli_options import Moment
from pincite.serve.mcp_fit import cost, fence_for, fenced, fitting, shortened
from pincite.serve.params import AskParams
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
        ref=f"REF-{number:06d}",
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
        return (SimpleNamespace(slug="guide", version=""),)

    def document(self, ref: str) -> Any:
        return SimpleNamespace(id="doc_0", kind="doc", sections=())

    def held(self, source: str | None = None, *, as_of: Any = None) -> tuple[Any, ...]:
        return (SimpleNamespace(source=source or "guide", path="guide.md", ref="REF-abc123"),)

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
    kept, omitted = fitting([Shown(passage(text), passage(text))], 1000)
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
    ("text", "wanted"),
    [
        pytest.param("2026-11-30", datetime(2026, 11, 30, 23, 59, 59, 999000, UTC), id="a date is its end"),
        pytest.param("20261130", datetime(2026, 11, 30, 23, 59, 59, 999000, UTC), id="a date without hyphens"),
        pytest.param("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=UTC), id="utc"),
        pytest.param("2026-11-30T12:00:00", datetime(2026, 11, 30, 12, tzinfo=UTC), id="no zone is utc"),
        pytest.param("2026-11-30T14:00:00+02:00", datetime(2026, 11, 30, 12, tzinfo=UTC), id="zone"),
    ],
)
def test_all_surfaces_read_a_moment_alike(text: str, wanted: datetime) -> None:
    over_http = AskParams.model_validate({"as_of": text}).as_of
    assert mcp_tools.moment(text) == over_http == Moment().convert(text, None, None) == wanted


def test_what_the_hits_leave_goes_to_neighbours_and_no_neighbour_displaces_a_hit() -> None:
    near = ({"position": "after", "id": "psg_9", "start": 5, "end": 400, "text": "near " * 80},)
    found = [Shown(replace(passage(f"hit {i} " * 30, i), context=near), passage(f"hit {i} " * 30, i)) for i in range(4)]
    counts = [[len(p.context) for p in fitting(found, budget)[0]] for budget in (6000, 1500, 1000)]
    assert counts[0] == [1, 1, 1, 1]
    assert counts[1][0] == 1
    assert counts[1][-1] == 0
    assert all(
        len(kept) == len(fitting([Shown(s.bare, s.bare) for s in found], b)[0]) for kept, b in zip(counts, (6000, 1500, 1000), strict=True)
    )


def test_a_function_comes_whole_where_it_fits_and_as_found_where_it_does_not() -> None:
    bare, whole = passage("found part"), passage("line of the function\n" * 200)
    assert fitting([Shown(whole, bare)], 6000)[0][0].text == whole.text
    assert fitting([Shown(whole, bare)], 600)[0][0].text == bare.text
