"""A question that names a capture by its code is answered from that snapshot, also when the page has changed since."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import Library

OLD = "# Kettle timings\n\nThe kettle whistles after four minutes when the lid is closed.\n\nIts handle stays cool.\n"
NEW = "# Kettle timings\n\nThe kettle whistles after nine minutes when the lid is closed.\n\nIts handle stays cool.\n"


@pytest.fixture
def changed(tmp_path: Path) -> tuple[Library, str, str]:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kettle.md").write_text(OLD)
    (folder / "pans.md").write_text("# Pans\n\nThe pan whistles after seven minutes, lid closed, like the kettle.\n")
    library = Library(str(tmp_path / "t.db"))
    library.add(str(folder))
    old = next(h.ref for h in library.held() if h.path == "kettle.md")
    (folder / "kettle.md").write_text(NEW)
    library.add(str(folder))
    new = next(h.ref for h in library.held() if h.path == "kettle.md")
    return library, old, new


@pytest.mark.parametrize("question", ["explain {}", "What does {} say?", "summarize ({})", "{}", "When does the kettle whistle, by {}?"])
def test_a_code_in_the_question_binds_the_answer_to_its_snapshot(changed: tuple[Library, str, str], question: str) -> None:
    library, old, new = changed
    with library:
        for ref, minutes in ((old, "four"), (new, "nine"), (old.upper(), "four")):
            answer = library.ask(question.format(ref))
            assert not answer.abstained
            assert minutes in answer.markdown
            assert {c.capture.ref.lower() for c in answer.citations} == {ref.lower()}
            assert answer.query == question.format(ref)


def test_a_question_that_the_named_snapshot_does_not_answer_abstains(changed: tuple[Library, str, str]) -> None:
    library, old, _ = changed
    with library:
        assert library.ask(f"How do I configure PostgreSQL replication in {old}?").abstained


def test_a_code_that_names_nothing_abstains(changed: tuple[Library, str, str]) -> None:
    library, _, _ = changed
    with library:
        assert library.ask("explain REF-zzzzzz").abstained
