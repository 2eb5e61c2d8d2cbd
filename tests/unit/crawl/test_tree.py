"""Files on disk as pages, and folders that are never left."""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pincite.crawl import tree, walk
from pincite.errors import SourceError, UsageError
from pincite.sources import context_file
from pincite.sources.resolve import resolve
from pincite.types import Capture, PageOutcome, Policy, Wanted, capture_of

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def captured(location: str, known: Mapping[str, Capture] | None = None, policy: Policy | None = None) -> list[Wanted | PageOutcome]:
    source = resolve(location, name=None, version="", policy=policy or Policy(), now=NOW)
    return list(tree.pages(source, known or {}, clock=lambda: NOW, split=context_file.sections))


def outcomes(location: str, policy: Policy | None = None) -> dict[str, tuple[str, str]]:
    return {
        item.url.rpartition("/")[2]: (item.outcome, item.reason)
        for item in captured(location, policy=policy)
        if isinstance(item, PageOutcome)
    }


def paths(location: str, policy: Policy | None = None) -> list[str]:
    return [i.fetched.path for i in captured(location, policy=policy) if isinstance(i, PageOutcome) and i.fetched]


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def test_a_folder_gives_its_files_in_order_all_wanted_first(tmp_path: Path) -> None:
    write(tmp_path, {"b.md": "b", "a/z.py": "z", "a/y.md": "y"})
    first, *rest = captured(str(tmp_path))
    assert isinstance(first, Wanted)
    assert first.urls == tuple(item.url for item in rest if isinstance(item, PageOutcome))
    assert paths(str(tmp_path)) == ["a/y.md", "a/z.py", "b.md"]


def test_bytes_and_times_are_the_files_own(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": b"\xef\xbb\xbf# \xff\r\n"})
    os.utime(tmp_path / "a.md", (1_700_000_000, 1_700_000_000))
    item = captured(str(tmp_path / "a.md"))[1]
    assert isinstance(item, PageOutcome)
    assert item.fetched is not None
    assert item.fetched.body == b"\xef\xbb\xbf# \xff\r\n"
    assert item.fetched.header("last-modified") == "Tue, 14 Nov 2023 22:13:20 GMT"
    assert (item.fetched.media_type, item.fetched.renderer, item.fetched.fetched_at) == ("text/markdown", "file", NOW)
    assert item.url == (tmp_path / "a.md").as_uri()


def test_hidden_and_ignored_files_are_not_wanted(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            ".gitignore": "*.log\n/build/\n!keep.log\n",
            ".git/config": "x",
            ".hidden/a.md": "x",
            "build/a.md": "x",
            "src/build/b.md": "x",
            "a.log": "x",
            "keep.log": "x",
            "src/.gitignore": "c.md\n!d.log\n",
            "src/c.md": "x",
            "src/d.log": "x",
        },
    )
    assert paths(str(tmp_path)) == ["keep.log", "src/build/b.md", "src/d.log"]


def test_filters_fit_paths_inside_the_folder(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "docs/b.md": "x", "docs/old/c.md": "x", "docs/d.py": "x"})
    assert paths(str(tmp_path), Policy(include=("*.md",), exclude=("old",))) == ["a.md", "docs/b.md"]
    assert paths(str(tmp_path), Policy(include=("docs/**/*.md",))) == ["docs/b.md", "docs/old/c.md"]


def test_a_glob_takes_what_it_fits(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "x", "b/c.md": "x", "b/d.py": "x"})
    assert paths(str(tmp_path / "*.md")) == ["a.md"]
    assert paths(str(tmp_path / "**" / "*.md")) == ["a.md", "b/c.md"]
    assert paths(str(tmp_path / "b" / "[cd].*")) == ["c.md", "d.py"]


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, {"secret/s.md": "secret", "root/a.md": "a"})
    (tmp_path / "root" / "out.md").symlink_to(tmp_path / "secret" / "s.md")
    (tmp_path / "root" / "folder").symlink_to(tmp_path / "secret")
    (tmp_path / "root" / "in.md").symlink_to("a.md")
    (tmp_path / "root" / "broken.md").symlink_to("nothing")
    found = outcomes(str(tmp_path / "root"))
    assert found["out.md"] == ("skipped", "outside root")
    assert found["folder"] == ("skipped", "outside root")
    assert found["in.md"] == ("fetched", "")
    assert found["broken.md"] == ("failed", "missing")
    assert "s.md" not in found


def test_a_folder_swapped_for_a_link_after_it_was_listed_is_not_entered(tmp_path: Path) -> None:
    write(tmp_path, {"secret/a.md": "secret", "root/sub/a.md": "own"})
    with walk.Root(str(tmp_path / "root")) as root:
        assert list(root.files(lambda path: True, lambda path, why: None)) == ["sub/a.md"]
        (tmp_path / "root" / "sub" / "a.md").unlink()
        (tmp_path / "root" / "sub").rmdir()
        (tmp_path / "root" / "sub").symlink_to(tmp_path / "secret")
        with pytest.raises(walk.Unreadable):
            root.read("sub/a.md", 1000)


def test_a_folder_reached_by_a_link_is_the_root_itself(tmp_path: Path) -> None:
    write(tmp_path, {"real/a.md": "a"})
    (tmp_path / "link").symlink_to("real")
    assert paths(str(tmp_path / "link")) == ["a.md"]


def test_files_that_hold_no_text_are_reported(tmp_path: Path) -> None:
    write(tmp_path, {"a.png": b"\x89PNG", "b": b"\x7fELF\0\0", "c.txt": "x" * 11, "d.txt": "\ufeffhi".encode("utf-16")})
    assert outcomes(str(tmp_path), Policy(limit_bytes=10)) == {
        "a.png": ("skipped", "wrong type"),
        "b": ("skipped", "binary"),
        "c.txt": ("failed", "too large"),
        "d.txt": ("fetched", ""),
    }
    assert outcomes(str(tmp_path / "b")) == {"b": ("failed", "binary")}


def test_a_pipe_in_a_folder_is_passed_over(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "a"})
    os.mkfifo(tmp_path / "pipe")
    assert outcomes(str(tmp_path)) == {"a.md": ("fetched", ""), "pipe": ("skipped", "wrong type")}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file_is_a_line_of_the_report(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "a", "b.md": "b"})
    (tmp_path / "a.md").chmod(0)
    assert outcomes(str(tmp_path)) == {"a.md": ("failed", "permission"), "b.md": ("fetched", "")}


def test_pages_that_are_gone_come_last(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "a", "b.md": "b"})
    known = {i.url: capture_of("x", i.fetched) for i in captured(str(tmp_path)) if isinstance(i, PageOutcome) and i.fetched}
    (tmp_path / "a.md").unlink()
    assert captured(str(tmp_path), known)[-1] == PageOutcome((tmp_path / "a.md").as_uri(), "skipped", "gone")


def test_the_last_file_of_a_known_folder_may_go(tmp_path: Path) -> None:
    write(tmp_path, {"a.md": "a", ".keep": ""})
    known = {i.url: capture_of("x", i.fetched) for i in captured(str(tmp_path)) if isinstance(i, PageOutcome) and i.fetched}
    (tmp_path / "a.md").unlink()
    assert [i.reason for i in captured(str(tmp_path), known) if isinstance(i, PageOutcome)] == ["gone"]
    with pytest.raises(UsageError, match="no file to add"):
        captured(str(tmp_path))


def test_a_file_removed_between_look_and_read_is_an_error_of_its_source(tmp_path: Path) -> None:
    write(tmp_path, {"all.md": "# Kiln Doc Context\n\n## File: a.md\n"})
    source = resolve(str(tmp_path / "all.md"), name=None, version="", policy=Policy(), now=NOW)
    (tmp_path / "all.md").unlink()
    with pytest.raises(SourceError):
        list(tree.pages(source, {}, clock=lambda: NOW, split=context_file.sections))


def test_sections_of_a_context_file_have_urls_of_their_own(tmp_path: Path) -> None:
    text = "# Kiln Code Context\n\n## File: a.py\n\n```py\nx = 1\n```\n\n"
    text += "## File: a.py\n\n```py\nx = 2\n```\n\n## File: b c.md\n\n```md\nB\n```\n"
    write(tmp_path, {"all.md": text})
    pages = [i for i in captured(str(tmp_path / "all.md")) if isinstance(i, PageOutcome)]
    base = (tmp_path / "all.md").as_uri()
    assert [p.url for p in pages] == [base + "#a.py", base + "#a.py~2", base + "#b%20c.md"]
    assert [(f.path, f.body, f.kind, f.media_type) for p in pages if (f := p.fetched)] == [
        ("a.py", b"x = 1\n", "code", "text/x-python"),
        ("a.py", b"x = 2\n", "code", "text/x-python"),
        ("b c.md", b"B\n", "doc", "text/markdown"),
    ]


def test_raw_html_is_a_page_named_by_its_digest() -> None:
    wanted, page = captured("raw:<h1>Hi</h1>")
    assert isinstance(page, PageOutcome)
    assert isinstance(wanted, Wanted)
    assert page.fetched is not None
    assert (page.fetched.body, page.fetched.media_type) == (b"<h1>Hi</h1>", "text/html")
    assert wanted.urls == (page.url,)
    assert page.url == captured("raw:<h1>Hi</h1>")[1].url  # type: ignore[union-attr]
