"""What a capture could not have is told by the next one too, and had when it is there; a source without a page is not left behind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite import Library, Policy
from pincite.errors import PinciteError, Refused

if TYPE_CHECKING:
    from conftest import LocalSite


def policy(local: LocalSite) -> Policy:
    return Policy(allow_private=(local.url.removeprefix("http://"),), delay_s=0.0, extra=(("render", "never"),))


def test_pages_that_are_missing_stay_in_the_report_until_they_are_there(local: LocalSite, page, tmp_path: Path) -> None:
    local.answers = {"/docs/": page("a.html", "b.html"), "/docs/a.html": page("/docs/", text="A page that stands.")}
    with Library(str(tmp_path / "library.db")) as library:
        for _ in range(2):
            report = library.add(local.url + "/docs/", policy=policy(local))
            assert report.failed == {"http 404": 1}
            assert report.wanted == 3
        local.answers["/docs/b.html"] = page("/docs/", text="A page that came later.")
        report = library.refresh(report.source)
        assert (report.failed, report.fetched) == ({}, 1)


@pytest.mark.parametrize("location", ["http://10.0.0.1/docs/", "http://127.0.0.1:9/docs/"])
def test_a_refused_source_is_not_left_behind(location: str, tmp_path: Path) -> None:
    with Library(str(tmp_path / "library.db")) as library:
        with pytest.raises(Refused):
            library.add(location)
        assert library.sources() == ()


def test_a_source_that_held_pages_stays_when_it_can_not_be_reached(local: LocalSite, page, tmp_path: Path) -> None:
    local.answers = {"/docs/": page(text="A page that stands.")}
    with Library(str(tmp_path / "library.db")) as library:
        source = library.add(local.url + "/docs/", policy=policy(local)).source
        with pytest.raises(PinciteError):
            library.add(local.url + "/docs/", policy=Policy(max_age_s=0.0, delay_s=0.0))
        assert [held.slug for held in library.sources()] == [source]
