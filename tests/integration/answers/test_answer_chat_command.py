"""In: lines on stdin. Out: what `pincite chat` prints, answer by answer."""

from __future__ import annotations

import io
import json
from collections.abc import Callable

import pytest

from pincite.errors import UsageError
from pincite.library import Library
from pincite.serve.cli import main

PAGE = """# Ferry queues

## Retention

A ferry queue keeps its entries for nine days. The retention can be changed with `keep_days`.

## Limits

A ferry queue holds at most 40 crates.
"""


@pytest.fixture
def store(tmp_path, capsys) -> str:
    (tmp_path / "ferry.md").write_text(PAGE, "utf-8")
    place = str(tmp_path / "library.db")
    with Library(place) as library:
        library.add(str(tmp_path / "ferry.md"))
    return place


Talk = Callable[..., tuple[int, str]]


@pytest.fixture
def talk(store, monkeypatch, capsys) -> Talk:
    def talked(text: str, *options: str) -> tuple[int, str]:
        monkeypatch.setattr("sys.stdin", io.StringIO(text))
        code = main(["chat", "--store", store, *options])
        return code, capsys.readouterr().out

    return talked


def test_each_line_is_answered_with_its_note(talk) -> None:
    code, out = talk("How many days does a ferry queue keep its entries?\n\nHow many crates does a ferry queue hold?\n")
    assert code == 0
    assert "for nine days" in out
    assert "at most 40 crates" in out
    assert out.count("[^1]: ") == 2


def test_a_follow_up_is_understood_by_what_was_asked_before(talk) -> None:
    _, out = talk("How long is the retention of a ferry queue?\nAnd how can it be changed?\n", "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert not first["abstained"]
    assert "keep_days" in second["markdown"]


def test_new_forgets_and_exit_leaves(talk) -> None:
    _, out = talk("How long is the retention of a ferry queue?\n/new\nAnd what about it?\n/exit\nHow many crates?\n", "--json")
    first, second = (json.loads(line) for line in out.splitlines())
    assert not first["abstained"]
    assert second["abstained"]


def test_a_question_that_fails_is_told_and_the_next_one_is_answered(talk, capsys) -> None:
    code, out = talk("How many crates does a ferry queue hold?\n", "--llm-url", "http://127.0.0.1:9/v1", "--model", "none")
    assert code == 1
    assert out == ""


def test_fingerprints_and_ids_of_slices_name_their_capture(store) -> None:
    from pincite.cite.refs import fingerprint
    from pincite.types import timestamp

    with Library(store) as library:
        answer = library.ask("How many crates does a ferry queue hold?")
        citation = answer.citations[0]
        capture = citation.capture
        print_ = fingerprint(capture.url, timestamp(capture.fetched_at))
        passage = library.search("crates")[0].id
        for id in (print_, print_.rstrip("="), capture.ref.upper(), citation.id, passage):
            assert library.capture(id).ref == capture.ref
            assert library.document(id).id == citation.document
        library.mark(print_, "expired")
        assert library.capture(capture.ref).mark == "expired"
        assert library.citation(citation.id).quality < citation.quality


def test_show_takes_a_fingerprint(store, capsys) -> None:
    from pincite.cite.refs import fingerprint
    from pincite.types import timestamp

    with Library(store) as library:
        held = next(iter(library.held()))
        capture = library.capture(held.ref)
    assert main(["show", fingerprint(capture.url, timestamp(capture.fetched_at)), "--store", store]) == 0
    assert capture.ref in capsys.readouterr().out


def test_a_note_is_kept_with_the_citation_and_printed_ever_after(store, capsys) -> None:
    question = "How many crates does a ferry queue hold?"
    with Library(store) as library:
        id = library.ask(question).citations[0].id
    assert main(["show", id, "--note", "Ask the harbour first", "--store", store]) == 0
    capsys.readouterr()
    with Library(store) as library:
        assert library.citation(id).remark == "Ask the harbour first"
        assert "note: Ask the harbour first" in library.ask(question).markdown
        assert list(library.verify()) == []
        library.remark(id, "")
        assert "harbour" not in library.ask(question).markdown
        with pytest.raises(UsageError, match="no citation"):
            library.remark("cit_0", "x")
