"""No name of a file and no URL mints a footnote, an image or a second line in an answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import Library
from pincite.cite.printing import _one_word


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("new\nline.md", "new%0Aline.md"),
        ("a\n[^9]: b.md", r"a%0A\[^9\]: b.md"),
        ("![x](y).md", r"\![x\](y).md"),
        ("plain_name-1.md", "plain_name-1.md"),
    ],
    ids=["line break", "a footnote", "an image", "plain"],
)
def test_a_file_name_stays_on_its_line_and_mints_nothing(tmp_path: Path, name: str, shown: str) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / name).write_text("# Otters\n\nThe otter sleeps at noon.\n")
    with Library(str(tmp_path / "t.db")) as library:
        library.add(str(tmp_path / "d"))
        notes = [line for line in library.ask("When does the otter sleep?").markdown.split("\n") if line.startswith("[^")]
    assert len(notes) == 1
    assert shown in notes[0]


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("http://[::1]:8000/a", "http://[::1]:8000/a"),
        ("https://e.org/![a](b)", "https://e.org/!%5Ba%5D(b)"),
        ("https://e.org/a\nb", "https://e.org/a%0Ab"),
        ("https://e.org/a_(b)#c:~:text=d", "https://e.org/a_(b)#c:~:text=d"),
        ("https://e.org", "https://e.org"),
    ],
)
def test_a_url_mints_nothing_and_leads_where_it_led(url: str, shown: str) -> None:
    assert _one_word(url) == shown


def test_a_very_long_unknown_word_is_cut_in_the_refusal(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Otters\n\nThe otter sleeps at noon.\n")
    with Library(str(tmp_path / "t.db")) as library:
        library.add(str(tmp_path / "a.md"))
        assert len(library.ask("q" * 20_000).markdown) < 600
