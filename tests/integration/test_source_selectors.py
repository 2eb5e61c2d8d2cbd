"""`--selector` and `--exclude-selector`: where the text of a source's pages is, wherever and whenever they are processed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pincite import Library, Policy, lanes
from pincite.errors import UsageError
from pincite.settings import Settings

PAGE = """<html><body><main><h1>Kiln {n}</h1><p>The main words of page {n}.</p><p class=ad>Buy a kiln.</p></main>
<div id=notes><p>The notes of page {n}.</p><p class=ad>Buy a glaze.</p></div></body></html>"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "pages"
    place.mkdir()
    for n in range(lanes.ALONE + 6):
        (place / f"{n:02}.html").write_text(PAGE.format(n=n))
    return place


def texts(library: Library) -> list[str]:
    return [library.document(held.ref).text for held in sorted(library.held(), key=lambda held: held.path)]


CASES = {
    "none": (Policy(), ("main words", "Buy a kiln"), ("notes",)),
    "where": (Policy(selector="#notes"), ("notes", "Buy a glaze"), ("main words",)),
    "what not": (Policy(exclude_selector=".ad"), ("main words",), ("Buy", "notes")),
    "both": (Policy(selector="#notes", exclude_selector=".ad, h1"), ("notes",), ("Buy", "main words")),
    "no such place": (Policy(selector="#nowhere"), ("main words",), ("notes",)),
}


@pytest.mark.parametrize("processes", [1, 2], ids=["here", "beside"])
@pytest.mark.parametrize(("policy", "there", "not_there"), CASES.values(), ids=CASES)
def test_selectors_decide_what_is_text(
    folder: Path, tmp_path: Path, processes: int, policy: Policy, there: tuple[str, ...], not_there: tuple[str, ...]
) -> None:
    with Library(str(tmp_path / "library.db"), settings=Settings(processes=processes)) as library:
        library.add(str(folder), policy=policy)
        for text in texts(library):
            assert all(words in text for words in there)
            assert not any(words in text for words in not_there)


def test_other_selectors_make_other_documents_of_the_same_snapshots(folder: Path, tmp_path: Path) -> None:
    with Library(str(tmp_path / "library.db")) as library:
        name = library.add(str(folder), policy=Policy()).source
        library.add(str(folder), policy=Policy(exclude_selector=".ad"))
        assert library.reindex(name) == lanes.ALONE + 6
        assert not any("Buy" in text for text in texts(library))
        assert library.reindex(name) == 0
        assert list(library.verify()) == []
        assert not library.search("buy")


def test_the_user_s_own_rules_stand_behind_a_source_s_selectors(folder: Path, tmp_path: Path) -> None:
    rules = tmp_path / "selectors.yaml"
    rules.write_text("drop: [.ad]\nrules:\n  - name: mine\n    marks: [body]\n    main: [main]\n")
    with Library(str(tmp_path / "library.db"), settings=Settings(selectors=str(rules))) as library:
        name = library.add(str(folder)).source
        assert texts(library)[0].strip() == "# Kiln 0\n\nThe main words of page 0."
        (source,) = library.sources()
        library._parts.store.put_source(replace(source, policy=Policy(selector="#notes")))
        library.reindex(name)
        assert texts(library)[0].strip() == "The notes of page 0."


def test_a_selector_that_is_none_is_said_before_anything_is_captured(folder: Path, tmp_path: Path) -> None:
    with Library(str(tmp_path / "library.db")) as library:
        with pytest.raises(UsageError):
            library.add(str(folder), policy=Policy(selector="p[["))
        assert library.sources() == ()
