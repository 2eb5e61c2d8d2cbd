"""The tool `verify`: a quote, several, a whole answer, and what does not fit."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from pincite import Library
from pincite.errors import UsageError
from pincite.serve.mcp_fit import cost
from pincite.serve.mcp_schemas import MAX_TOKENS, TOOLS
from pincite.serve.mcp_verify import verify

TRUE = "Never descale while a schedule is running."
TURNED = "Always descale while a schedule is running."
OUTPUT = next(tool for tool in TOOLS if tool.name == "verify").wire()["outputSchema"]


@pytest.fixture(scope="module")
def library(place: str) -> Iterator[Library]:
    with Library(place) as opened:
        yield opened


def told(library: Library, **arguments: Any) -> dict[str, Any]:
    reply = verify(library, arguments)
    jsonschema.validate(reply.structured, OUTPUT)
    assert cost(reply.wire()) <= MAX_TOKENS
    return reply.structured


def test_one_quote_says_whether_it_holds(library: Library) -> None:
    assert told(library, quote=TRUE)["holds"] is True
    assert told(library, quote=TURNED)["holds"] is False


def test_several_quotes_are_told_apart_in_their_order(library: Library) -> None:
    found = told(library, quotes=[TRUE, TURNED, "Kettle boils water on a schedule.", "", "zebra migration"])
    assert found["holds"] is False
    assert [(row["n"], row["holds"]) for row in found["results"]] == [("1", True), ("2", False), ("3", True), ("4", False), ("5", False)]
    assert "Never descale" in found["results"][1]["text"], "the page's own words stand beside a quote that is turned"
    assert told(library, quotes=[TRUE, TRUE])["holds"] is True


def test_an_answer_of_ours_is_checked_note_by_note(library: Library) -> None:
    from pincite.serve import schemas

    answer = schemas.answer(library.ask("When must I never descale?"))
    found = told(library, answer=json.dumps(answer))
    assert found["holds"] is True
    assert [row["n"] for row in found["results"]] == [str(c["n"]) for c in answer["citations"]]
    answer["citations"][0]["quote"]["text"] = TURNED
    assert told(library, answer=json.dumps(answer))["holds"] is False


def test_an_answer_of_anyone_is_checked_too(library: Library) -> None:
    ref = verify(library, {"quote": TRUE}).structured["ref"]
    good = f'{TRUE}[^1]\n\n[^1]: "{TRUE}" {ref}\n'
    assert told(library, answer=good)["holds"] is True
    assert told(library, answer=good.replace("Never", "Always"))["holds"] is False


def test_an_answer_without_a_note_does_not_hold(library: Library) -> None:
    assert told(library, answer="Descale whenever you like.") == {"holds": False, "results": []}


def test_fifty_long_quotes_fit_and_what_fails_is_never_left_out(library: Library) -> None:
    long = " ".join(f"Line {i} says that boiling takes time." for i in range(300))
    found = told(library, quotes=[TRUE, *(f"{long} {i} and never ends" for i in range(48)), TURNED])
    assert found["holds"] is False
    assert len(found["results"]) == 50
    assert sum(not row["holds"] for row in found["results"]) == 49


def test_a_very_long_answer_keeps_its_failing_notes_first(library: Library) -> None:
    ref = verify(library, {"quote": TRUE}).structured["ref"]
    body = "".join(f"{TRUE}[^{i}]\n\n" for i in range(1, 400))
    notes = "".join(f'[^{i}]: "{TURNED if i == 390 else TRUE}" {ref}\n' for i in range(1, 400))
    found = told(library, answer=body + notes)
    assert found["holds"] is False
    assert found["results"][0]["n"] == "390"
    assert found["omitted"] + len(found["results"]) == 399


@pytest.mark.parametrize("arguments", [{}, {"quote": "a", "quotes": ["b"]}, {"quote": "a", "answer": "b"}, {"source": "kettle"}])
def test_exactly_one_thing_is_checked(library: Library, arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"`quote`, `quotes` and `answer`"):
        verify(library, arguments)
