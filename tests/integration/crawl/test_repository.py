"""Git repositories, local and over HTTP on loopback, through the guard."""

from __future__ import annotations

import os
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pincite import Library
from pincite.crawl import repo
from pincite.errors import Refused, SourceError, UsageError
from pincite.sources.resolve import resolve
from pincite.types import PageOutcome, Policy, capture_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import LocalSite

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="needs git")
NOW = datetime(2026, 1, 2, tzinfo=UTC)


def git(folder: Path, *arguments: str) -> str:
    names = {f"GIT_{who}_{what}": "kiln@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_GLOBAL": os.devnull} | names
    return subprocess.run(["git", *arguments], cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "kiln"
    (folder / "docs").mkdir(parents=True)
    (folder / "docs" / "a.md").write_text("# One\n")
    (folder / "fire.py").write_text("def fire():\n    pass\n")
    (folder / "out.md").symlink_to("/etc/hostname")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    git(folder, "tag", "v1")
    (folder / "docs" / "a.md").write_text("# Two\n")
    git(folder, "commit", "-q", "-a", "-m", "two")
    return folder


def pages(location: str, policy: Policy | None = None, known: dict[str, object] | None = None) -> dict[str, PageOutcome]:
    source = resolve(location, name=None, version="", policy=policy or Policy(), now=NOW)
    found = [item for item in repo.pages(source, known or {}, clock=lambda: NOW) if isinstance(item, PageOutcome)]  # type: ignore[arg-type]
    return {item.fetched.path if item.fetched else item.url: item for item in found}


def test_files_are_read_at_the_ref_and_cited_by_commit(repository: Path) -> None:
    commit = git(repository, "rev-parse", "v1")
    page = pages(f"git+file://{repository}@v1")["docs/a.md"].fetched
    assert page is not None
    assert page.body == b"# One\n"
    assert page.url == f"git+file://{repository}@v1#docs/a.md"
    assert page.final_url == f"git+file://{repository}@{commit}#docs/a.md"


def test_the_default_branch_a_commit_and_a_folder_can_be_named(repository: Path) -> None:
    first = git(repository, "rev-parse", "v1")
    assert {p.fetched.body for p in pages(f"git+file://{repository}@{first}#docs").values() if p.fetched} == {b"# One\n"}
    assert sorted(pages(f"git+file://{repository}")) == ["docs/a.md", "fire.py", "out.md"]


def test_a_link_in_a_repository_leads_nowhere(repository: Path) -> None:
    page = pages(f"git+file://{repository}")["out.md"].fetched
    assert page is not None
    assert page.body == b"/etc/hostname"


def test_urls_stay_the_same_and_what_is_gone_is_told(repository: Path) -> None:
    before = pages(f"git+file://{repository}")
    git(repository, "rm", "-q", "fire.py")
    git(repository, "commit", "-q", "-m", "three")
    known = {p.url: capture_of("kiln", p.fetched) for p in before.values() if p.fetched}
    after = pages(f"git+file://{repository}", known=dict(known))
    assert before["docs/a.md"].url == after["docs/a.md"].url
    assert [p.url for p in after.values() if p.reason == "gone"] == [before["fire.py"].url]


def test_a_clone_goes_through_the_guard(repository: Path, local: LocalSite, answer: Callable[..., bytes]) -> None:
    bare = repository.parent / "bare.git"
    git(repository.parent, "clone", "-q", "--bare", str(repository), str(bare))
    git(bare, "update-server-info")
    for path in bare.rglob("*"):
        if path.is_file():
            local.answers["/kiln.git/" + path.relative_to(bare).as_posix()] = answer(path.read_bytes(), content_type="text/plain")
    refs = local.answers.pop("/kiln.git/info/refs")
    local.answers["/kiln.git/info/refs?service=git-upload-pack"] = refs
    location = f"git+{local.url}/kiln.git"
    assert "docs/a.md" in pages(location, Policy(allow_private=(f"127.0.0.1:{local.port}",)))
    local.hits.clear()
    with pytest.raises(Refused):
        pages(location)
    assert local.hits == []


PLACES = {
    "GitHub": ("git+https://github.com/o/n.git@main", "https://github.com/o/n/blob/main/d/a%20b.md"),
    "GitLab": ("git+https://gitlab.example/o/n@v1", "https://gitlab.example/o/n/-/blob/v1/d/a%20b.md"),
}


@pytest.mark.parametrize(("location", "url"), PLACES.values(), ids=PLACES)
def test_pages_have_the_address_that_their_host_shows(location: str, url: str) -> None:
    repository = repo.taken_apart(location)
    assert repository.page("d/a b.md", repository.ref) == url


@pytest.mark.parametrize("location", ["git+ssh://h/x", "git+https://h/x@--upload-pack=x", "git+https://h/x@a..b", "git+https://h/x#../.."])
def test_a_location_that_git_could_misread_is_refused(location: str) -> None:
    with pytest.raises(UsageError):
        repo.taken_apart(location)


def test_a_missing_repository_is_an_error_of_its_source(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as caught:
        pages(f"git+file://{tmp_path}/none")
    assert caught.value.rule == "git"


def test_an_answer_from_a_repository_names_the_commit_and_the_line(repository: Path, tmp_path: Path) -> None:
    (repository / "docs" / "firing.md").write_text("# Firing\n\nThe kiln is fired to 1240 degrees over nine hours.\n")
    git(repository, "add", ".")
    git(repository, "commit", "-q", "-m", "firing")
    commit = git(repository, "rev-parse", "HEAD")
    with Library(str(tmp_path / "library.db")) as library:
        library.add(f"git+file://{repository}@main")
        (citation,) = library.ask("To how many degrees is the kiln fired?").citations
    assert citation.deep_link == f"git+file://{repository}@{commit}#docs/firing.md"
    assert citation.line == 3
    assert citation.capture.url == f"git+file://{repository}@main#docs/firing.md"
