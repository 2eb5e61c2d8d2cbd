"""What builds and editors leave behind in a folder is not wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import Library
from pincite.crawl.walk import Root


@pytest.mark.parametrize(
    ("path", "kept"),
    [
        ("__pycache__/a.cpython-312.pyc", False),
        ("__pycache__/notes.txt", False),
        ("pkg/a.pyc", False),
        ("node_modules/left/README.md", False),
        ("pkg.egg-info/PKG-INFO", False),
        ("Thumbs.db", False),
        ("page.md~", False),
        ("page.md.orig", False),
        ("main.o", False),
        ("pkg/a.py", True),
        ("build/guide.md", True),
        ("dist/index.html", True),
        ("node_modules.md", True),
        ("demo.class.md", True),
    ],
)
def test_droppings_are_left_out_and_documents_are_not(tmp_path: Path, path: str, kept: bool) -> None:
    file = tmp_path / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("x")
    with Root(str(tmp_path)) as root:
        assert (path in set(root.files(lambda _: True, lambda *_: None))) is kept


def test_links_to_folders_and_in_circles_are_skipped_and_fail_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "d"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nWords.\n")
    (folder / "self").symlink_to(".")
    (folder / "one").symlink_to("two")
    (folder / "two").symlink_to("one")
    with Library(str(tmp_path / "t.db")) as library:
        report = library.add(str(folder))
    assert {p.reason for p in report.pages if p.outcome == "skipped"} == {"wrong type", "link loop"}
    assert not [p for p in report.pages if p.outcome == "failed"]


def test_an_empty_file_in_a_folder_fails_nothing_and_one_that_was_emptied_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "pkg"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "otter.md").write_text("# Otter\n\nThe otter sleeps at noon.\n")
    (folder / "heron.md").write_text("# Heron\n\nThe heron stands at dawn.\n")
    with Library(str(tmp_path / "t.db")) as library:
        assert not library.add(str(folder)).failed
        assert len(library.search("otter")) == 1
        (folder / "otter.md").write_text("\n")
        report = library.add(str(folder))
        assert (report.removed, dict(report.failed)) == (1, {})
        assert not [p for p in library.search("otter").passages if p.path == "otter.md"]
        assert library.add(str(folder)).removed == 0
