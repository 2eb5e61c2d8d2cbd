"""In: checked notes. Out: a report that GitHub shows as a table and that no page can write into."""

from __future__ import annotations

from pincite.serve.report import report
from pincite.types import NoteCheck

GOOD = NoteCheck("1", "It is so.", 3, "It is so.", "REF-aaaaaa", "exact", "exact", "lexical")
BAD = NoteCheck(
    "2", "It | is <b>not</b>\nso @you [x](https://e.example).", 4, "q", None, "unverified", "absent", "unchecked", "words", "It is so."
)


def test_refused_notes_come_first_and_are_counted() -> None:
    text = report([GOOD, BAD])
    assert "❌ 1 of 2 notes do not hold." in text
    assert text.index("| ❌ |") < text.index("| ✅ |")


def test_nothing_in_a_cell_is_markup() -> None:
    row = next(line for line in report([BAD]).splitlines() if line.startswith("| ❌"))
    assert row.replace("\\|", "").count("|") == 9
    assert "<b>" not in row
    assert "](" not in row.replace("\\](", "")
    assert "@you" not in row


def test_an_answer_without_notes_is_said() -> None:
    assert "no note to check" in report([])
