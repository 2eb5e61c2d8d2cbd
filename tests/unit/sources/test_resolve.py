"""What a location names."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pincite.errors import SourceError, UsageError
from pincite.sources.resolve import resolve
from pincite.types import Policy, Source

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def made(location: str, *, name: str | None = None, policy: Policy | None = None, taken: dict[str, str] | None = None) -> Source:
    return resolve(location, name=name, version="", policy=policy or Policy(), now=NOW, taken=taken)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "My Docs"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n")
    (folder / "all.md").write_text("# Kiln Doc Context\n\n## File: a.md\n\n```md\nx\n```\n")
    return folder


def test_a_folder_a_file_a_glob_and_a_context_file_are_told_apart(docs: Path) -> None:
    kinds = [made(str(place)).kind for place in (docs, docs / "a.md", docs / "*.md", docs / "all.md")]
    assert kinds == ["folder", "file", "glob", "context"]


def test_a_file_url_names_the_same_as_its_path(docs: Path) -> None:
    assert made((docs / "a.md").as_uri()).location == str((docs / "a.md").resolve())


def test_a_relative_path_becomes_absolute(docs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(docs)
    assert made(".").location == str(docs.resolve())
    assert made(".").slug == "my-docs"


SLUGS = {
    "site": ("https://www.Docs.Example/en/stable/index.html", "docs.example-en-stable"),
    "port": ("http://127.0.0.1:8000/", "127.0.0.1-8000"),
    "raw with a title": ("raw:<title>On Glaze</title><p>x", "on-glaze"),
}


@pytest.mark.parametrize(("location", "slug"), SLUGS.values(), ids=SLUGS)
def test_slug_is_readable(location: str, slug: str) -> None:
    assert made(location).slug == slug == made(location).slug


def test_two_folders_of_one_name_get_two_slugs(docs: Path) -> None:
    first = made(str(docs))
    again = made(str(docs), taken={first.slug: first.location})
    other = made(str(docs), taken={first.slug: "/elsewhere/my docs"})
    assert again.slug == first.slug
    assert other.slug != first.slug
    assert made(str(docs), name="Kiln 2", taken={"kiln-2": "/elsewhere"}).slug == "kiln-2"


def test_scope_page_makes_a_site_a_page() -> None:
    assert made("https://docs.example/a").kind == "site"
    assert made("https://docs.example/a", policy=Policy(scope="page")).kind == "page"


WRONG = {
    "empty": (" ", UsageError, None),
    "unknown scheme": ("ftp://docs.example/", UsageError, None),
    "scheme without slashes": ("mailto:x@docs.example", UsageError, None),
    "no host": ("http://", UsageError, None),
    "bad port": ("http://docs.example:port/", UsageError, None),
    "nothing after raw": ("raw: ", UsageError, None),
    "file on another host": ("file://server/share/a.md", UsageError, None),
    "missing": ("/no/such/file.md", SourceError, "missing"),
    "glob without a match": ("/no/such/*.md", UsageError, None),
    "NUL in a path": ("a\0b", SourceError, "missing"),
    "device": ("/dev/null", SourceError, "wrong type"),
}


@pytest.mark.parametrize(("location", "error", "rule"), WRONG.values(), ids=WRONG)
def test_a_location_that_is_none_is_a_clear_error(location: str, error: type[Exception], rule: str | None) -> None:
    with pytest.raises(error) as caught:
        made(location)
    assert getattr(caught.value, "rule", None) == rule


def test_an_empty_folder_has_nothing_to_add(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="empty"):
        made(str(tmp_path))
