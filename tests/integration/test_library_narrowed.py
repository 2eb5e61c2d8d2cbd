"""Versions, filters and several questions through the library, the command line and HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from pincite import Library
from pincite.errors import UsageError
from pincite.serve.cli import pincite
from pincite.settings import Settings

EDITIONS = {"old": "3.9", "mid": "3.11", "new": "3.13rc1", "odd": "nightly", "bare": ""}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("narrowed")
    with Library(str(folder / "library.db")) as library:
        for name, version in EDITIONS.items():
            place = folder / name
            (place / "guide").mkdir(parents=True)
            (place / "guide/cache.md").write_text(f"# Caching in {name}\n\nPages are cached for a day in the {name} edition.\n", "utf-8")
            (place / "proxy.md").write_text(f"# Proxies in {name}\n\nName the proxy server before you start the {name} edition.\n", "utf-8")
            library.add(str(place), name=name, version=version)
        library.mark(library.search("caching", source="mid")[0].ref, "expired", why="old")
    return str(folder / "library.db")


@pytest.fixture(scope="module")
def library(store: str) -> Iterator[Library]:
    with Library(store, read_only=True) as opened:
        yield opened


def sources(found: object) -> set[str]:
    return {passage.source for passage in found}  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ({"version": "3.11"}, {"mid"}),
        ({"version": ">=3.10,<3.13"}, {"mid"}),
        ({"version": ">=3.10"}, {"mid", "new"}),
        ({"version": "!=3.9"}, {"mid", "new", "odd"}),
        ({"version": ">=3.10", "source": "old"}, set()),
        ({"version": ">=4"}, set()),
        ({"where": "version < 3.12"}, {"old", "mid"}),
        ({"where": "source = old or version = nightly"}, {"old", "odd"}),
        ({"where": "source in (old, mid) and not mark = expired"}, {"old"}),
        ({"where": "mark = expired"}, {"mid"}),
        ({"where": "path = guide/* and source != bare", "version": "!=3.9"}, {"mid", "new", "odd"}),
        ({"where": "path = nowhere/*"}, set()),
        ({"where": "source = nobody"}, set()),
        ({"where": "kind = code"}, set()),
        ({"where": "fetched > 2100-01-01"}, set()),
    ],
    ids=str,
)
def test_only_what_passes_is_found(library: Library, how: dict[str, str], wanted: set[str]) -> None:
    found = library.search("caching pages", score_ratio=0.0, **how)  # type: ignore[arg-type]
    assert sources(p for p in found if p.path == "guide/cache.md") == wanted
    assert wanted or not found.passages


@pytest.mark.parametrize("how", [{"version": ">=x y"}, {"where": "colour = red"}], ids=str)
def test_what_can_not_be_read_is_a_usage_error(library: Library, how: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        library.search("caching", **how)  # type: ignore[arg-type]


def test_a_filter_that_few_pass_is_looked_for_deeply(tmp_path: Path) -> None:
    for n in range(120):
        (tmp_path / "many").mkdir(exist_ok=True)
        (tmp_path / f"many/page{n:03}.md").write_text(f"# Caching {n}\n\nCaching keeps page number{n} for caching.\n", "utf-8")
    (tmp_path / "many/wanted.md").write_text("# Other things\n\nMuch is said here of gardens, of the sea, and once of caching.\n", "utf-8")
    with Library(str(tmp_path / "library.db")) as library:
        library.add(str(tmp_path / "many"))
        found = library.search("caching", max_results=1, where="path = wanted*")
        assert [p.path for p in found] == ["wanted.md"]
        assert library.search("caching", max_results=1, where="path = absent*").answerable == 0.0


def test_several_questions_take_turns(library: Library) -> None:
    found = library.search("How long are pages cached? Where do I name the proxy server?", source="old", max_results=2)
    assert [p.path for p in found] == ["guide/cache.md", "proxy.md"]
    assert [p.rank for p in found] == [1, 2]
    scores = [p.score for p in library.search("How long are pages cached? Where do I name the proxy server?", score_ratio=0.0)]
    assert scores == sorted(scores, reverse=True)


def test_several_questions_give_no_passage_twice(library: Library) -> None:
    found = library.search("How are pages cached? Why are pages cached daily?", score_ratio=0.0, max_results=50)
    places = [(p.ref, p.start) for p in found]
    assert len(places) == len(set(places))


def test_the_unknown_words_of_all_questions_are_named(library: Library) -> None:
    found = library.search("When are pages cached? Where is the zorblax configured?")
    assert found.unknown_terms == ("zorblax", "configured")
    assert found[0].path == "guide/cache.md"


def test_splitting_can_be_turned_off_and_a_wrong_way_is_refused(store: str) -> None:
    asked = "How long are pages cached? Where do I name the proxy server?"
    with Library(store, settings=Settings(split_questions="off"), read_only=True) as library:
        assert all(p.score > 1 for p in library.search(asked))
    with Library(store, settings=Settings(split_questions="guess"), read_only=True) as library, pytest.raises(UsageError, match="split_q"):
        library.search(asked)


def test_segments_are_slices_and_may_span_chunks(library: Library) -> None:
    for preset in ("balanced", "precision", "find_all"):
        for passage in library.search("caching pages", segments=True, preset=preset):  # type: ignore[arg-type]
            assert library.document(passage.ref).text[passage.start : passage.end] == passage.text


def test_the_command_line_takes_ranges_filters_and_segments(store: str) -> None:
    ran = CliRunner().invoke(
        pincite, ["--store", store, "--json", "search", "caching", "--version", ">=3.10,<3.13", "--where", "mark = expired", "--segments"]
    )
    assert ran.exit_code == 0, ran.output
    assert {p["source"] for p in json.loads(ran.stdout)["passages"]} == {"mid"}
    bad = CliRunner().invoke(pincite, ["--store", store, "search", "caching", "--where", "colour = red"])
    assert isinstance(bad.exception, UsageError)
