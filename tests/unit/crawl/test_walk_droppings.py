"""What builds and editors leave behind in a folder is not wanted."""

from __future__ import annotations

from pathlib import Path

import pytest

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
