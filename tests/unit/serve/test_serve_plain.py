"""What a page or a file name holds moves no cursor and colours no terminal."""

from __future__ import annotations

import pytest

from pincite.serve.printing import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\x1b[31mb", "a\ufffd[31mb"),
        ("a\x9b31mb\x07", "a\ufffd31mb\ufffd"),
        ("a\rb", "a\ufffdb"),
        ("two\nlines\tand a tab, 缓存 …", "two\nlines\tand a tab, 缓存 …"),
    ],
    ids=["escape", "one-byte escape and bell", "carriage return", "text"],
)
def test_control_characters_are_shown_not_obeyed(text: str, shown: str) -> None:
    assert plain(text) == shown
