"""Purge after removal, and a reindex that meets a page it can no longer read."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pincite.errors import EvidenceError, SourceError, UsageError
from pincite.library import Library
from pincite.types import Document, PageOutcome, Snapshot


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kiln.md").write_text("# Kiln\n\nFire the kiln to 1240 degrees.\n")
    (folder / "glaze.md").write_text("# Glaze\n\nSieve the glaze twice before dipping.\n")
    return folder


def test_a_removed_source_can_still_be_purged(notes: Path, tmp_path: Path) -> None:
    with Library(str(tmp_path / "l.db")) as library:
        report = library.add(str(notes), name="notes")
        ref = next(page.ref for page in report.pages if page.ref)
        assert library.remove("notes") == 2
        assert library.body(ref)
        assert library.remove("notes", purge=True) == 2
        with pytest.raises(EvidenceError, match="purge"):
            library.body(ref)
        with pytest.raises(UsageError, match="no source"):
            library.remove("notes", purge=True)
        assert list(library.verify()) == []


def test_reindex_goes_on_after_a_page_that_can_no_longer_be_read(notes: Path, tmp_path: Path) -> None:
    with Library(str(tmp_path / "l.db")) as library:
        library.add(str(notes), name="notes")
        inner = library._parts.extractor

        class Choosy:
            version = "choosy@1"

            def extract(self, snapshot: Snapshot) -> Document:
                if snapshot.capture.path == "glaze.md":
                    raise SourceError("no text", rule="empty")
                return inner.extract(snapshot)

        library._parts = replace(library._parts, extractor=Choosy())
        told: list[PageOutcome] = []
        library.reindex(progress=told.append)
        assert {(p.url.rsplit("/", 1)[-1], p.outcome, p.reason) for p in told} == {
            ("glaze.md", "failed", "empty"),
            ("kiln.md", "unchanged", ""),
        }
        assert "Sieve the glaze" in library.search("sieve the glaze")[0].text


def test_captures_are_read_by_their_codes_and_unknown_codes_are_left_out(notes: Path, tmp_path: Path) -> None:
    with Library(str(tmp_path / "library.db")) as library:
        library.add(str(notes))
        held = {holding.ref for holding in library.held()}
        found = library._parts.store.captured([*held, "REF-zzzzzz"])
        assert found == {ref: library.capture(ref) for ref in held}


def test_sources_own_selectors_reach_capture_and_reindex(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.html").write_text(
        "<title>A</title><main><p>What the rules would take of this page.</p></main>"
        "<div class=mine><p>The kiln is fired to 1240 degrees.</p><p class=no>Subscribe to the kiln letter.</p></div>"
    )
    with Library(str(tmp_path / "l.db")) as library:
        policy = replace(library.policy(), selector=".mine", exclude_selector=".no")
        library.add(str(folder), name="site", policy=policy)
        assert [passage.text for passage in library.search("kiln")] == ["The kiln is fired to 1240 degrees."]
        told: list[PageOutcome] = []
        library.reindex(progress=told.append)
        assert [page.outcome for page in told] == ["unchanged"]


def test_document_of_an_older_extractor_is_made_again_by_reindex(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text("<title>A</title><main><p>The kiln is fired to 1240 degrees.</p></main>")
    with Library(str(tmp_path / "l.db")) as library:
        library.add(str(page), name="page")
        inner = library._parts.extractor

        class Older:
            version = "html@0"

            def extract(self, snapshot: Snapshot) -> Document:
                made = inner.extract(snapshot)
                return replace(made, id=made.id[:-1] + ("0" if made.id[-1] != "0" else "1"), extractor="html@0")

        library._parts = replace(library._parts, extractor=Older())
        assert library.reindex() == 1
        library._parts = replace(library._parts, extractor=inner)
        assert library.reindex() == 1
        assert library.reindex() == 0
