"""What of the library is read and written in each cache mode, and a dry run: counted by the requests that the site gets."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pincite import Library
from pincite.serve.cli import main

if TYPE_CHECKING:
    from conftest import LocalSite, Request

Page = Callable[..., bytes]
Add = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def site(local: LocalSite, page: Page, answer: Page) -> LocalSite:
    """Three pages; each answers a condition with 304."""

    def conditional(whole: bytes) -> Callable[[Request], list[bytes]]:
        head, _, body = whole.partition(b"\r\n")
        tagged = head + b'\r\nETag: "1"\r\nConnection: close\r\n' + body
        return lambda request: [answer("", "304 Not Modified") if request.headers.get("if-none-match") == '"1"' else tagged]

    local.answers = {
        "/": conditional(page("/a", "/b", text="Start.")),
        "/a": conditional(page(text="Clay is dried.")),
        "/b": conditional(page(text="Glaze is mixed.")),
    }
    return local


@pytest.fixture
def add(site: LocalSite, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Add:
    def go(*options: str) -> tuple[int, dict[str, Any]]:
        command = ["--store", str(tmp_path / "library.db"), "--json", "-q", "add", site.url + "/", "--delay", "0", "--no-seeds"]
        command += ["--render", "never", "--allow-private", f"127.0.0.1:{site.port}", *options]
        site.hits.clear()
        code = main(command)
        return code, json.loads(capsys.readouterr().out)

    return go


def asked(site: LocalSite) -> tuple[int, int]:
    """Return how many pages were asked for, and how many of them conditionally."""
    pages = [hit for hit in site.hits if hit.path != "/robots.txt"]
    return len(pages), sum("if-none-match" in hit.headers for hit in pages)


MODES = {
    "enabled and young": (("--cache", "enabled"), (0, 0), {"unchanged": 3, "fetched": 0}),
    "enabled and old": (("--cache", "enabled", "--max-age", "0"), (3, 3), {"unchanged": 3, "fetched": 0}),
    "bypass": (("--cache", "bypass"), (3, 0), {"unchanged": 3, "fetched": 0}),
    "write-only": (("--cache", "write-only"), (3, 0), {"unchanged": 3, "fetched": 0}),
    "read-only": (("--cache", "read-only", "--max-age", "0"), (0, 0), {"unchanged": 3, "fetched": 0}),
    "disabled": (("--cache", "disabled"), (3, 0), {"unchanged": 0, "fetched": 3}),
}


@pytest.mark.parametrize(("options", "requests", "report"), MODES.values(), ids=MODES)
def test_a_mode_decides_what_is_asked_of_a_held_site(
    site: LocalSite, add: Add, options: tuple[str, ...], requests: tuple[int, int], report: dict[str, int]
) -> None:
    assert add()[0] == 0
    code, told = add(*options)
    assert (code, asked(site)) == (0, requests)
    assert {name: told[name] for name in report} == report
    assert (told["documents"], told["chunks"], told["failed"]) == (0, 0, {})


@pytest.mark.parametrize("mode", ["read-only", "disabled"])
def test_modes_that_keep_nothing_leave_the_library_as_it_was(site: LocalSite, add: Add, page: Page, tmp_path: Path, mode: str) -> None:
    add()
    with Library(str(tmp_path / "library.db")) as library:
        before, report = library.seq(), library.status()
    site.answers["/"] = page("/a", "/b", "/c", text="Start again.")
    site.answers["/c"] = page(text="A new page.")
    add("--cache", mode)
    with Library(str(tmp_path / "library.db")) as library:
        assert library.seq() == before
        assert library.status() == report


@pytest.mark.parametrize("options", [("--cache", "disabled"), ("--cache", "read-only"), ("--dry-run",)], ids=lambda o: o[-1])
def test_no_library_is_made_where_nothing_is_kept(add: Add, tmp_path: Path, options: tuple[str, ...]) -> None:
    assert add(*options)[0] == 0
    assert not list(tmp_path.iterdir())


def test_bypass_holds_once_and_write_only_each_time(site: LocalSite, add: Add, tmp_path: Path) -> None:
    add("--cache", "bypass")
    with Library(str(tmp_path / "library.db")) as library:
        (source,) = library.sources()
        assert source.policy.cache == "enabled"
    add("--cache", "write-only")
    with Library(str(tmp_path / "library.db")) as library:
        site.hits.clear()
        library.refresh(source.slug)
        assert asked(site) == (3, 0)


def test_a_dry_run_fetches_the_first_page_and_tells_what_would_be_fetched(site: LocalSite, add: Add, page: Page, answer: Page) -> None:
    site.answers["/robots.txt"] = answer("User-agent: *\nDisallow: /b\n", content_type="text/plain")
    code, told = add("--dry-run")
    assert code == 0
    assert [hit.path for hit in site.hits] == ["/robots.txt", "/"]
    assert {p["url"].removeprefix(site.url): (p["outcome"], p["reason"]) for p in told["pages"]} == {
        "/": ("skipped", "would be fetched"),
        "/a": ("skipped", "would be fetched"),
        "/b": ("skipped", "robots"),
    }
    assert (told["wanted"], told["fetched"], told["documents"]) == (3, 0, 0)


def test_a_dry_run_of_a_held_site_tells_what_is_fresh_and_keeps_the_budget(site: LocalSite, add: Add, page: Page) -> None:
    add("--max-pages", "2")
    _, told = add("--dry-run", "--max-pages", "2", "--max-age", "0")
    reasons = {p["url"].removeprefix(site.url): p["reason"] or p["outcome"] for p in told["pages"]}
    assert reasons == {"/": "unchanged", "/a": "would be fetched", "/b": "budget"}
    _, told = add("--dry-run")
    assert {p["url"].removeprefix(site.url): p["reason"] for p in told["pages"]} == {"/": "fresh", "/a": "fresh", "/b": "would be fetched"}


def test_a_dry_run_of_a_folder_tells_of_each_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "a.md").write_text("# Kiln\n\nFire it slowly.\n")
    (folder / "b.png").write_bytes(b"\x89PNG")
    assert main(["--store", str(tmp_path / "library.db"), "--json", "add", str(folder), "--dry-run"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["skipped"] == {"would be fetched": 1, "wrong type": 1}
    assert not (tmp_path / "library.db").exists()


def test_what_robots_txt_said_holds_for_the_next_capture_of_a_library(site: LocalSite, tmp_path: Path) -> None:
    from pincite import Policy

    with Library(str(tmp_path / "library.db")) as library:
        policy = Policy(delay_s=0, allow_private=(f"127.0.0.1:{site.port}",), seeds=False, render="never")
        slug = library.add(site.url + "/", policy=policy).source
        library.refresh(slug)
    assert site.paths().count("/robots.txt") == 1
