"""Plain functions, for frameworks that make tools of functions."""

from __future__ import annotations

import inspect
import typing

from pincite.integrations.functions import functions, search_docs


def test_every_argument_has_a_type_and_is_described() -> None:
    hints = typing.get_type_hints(search_docs)
    for name in inspect.signature(search_docs).parameters:
        assert name in hints
        assert f"{name}:" in (search_docs.__doc__ or "")


def test_bound_functions_search_and_answer(kettle: str) -> None:
    search, answer = functions(kettle)
    assert (search.__name__, answer.__name__) == ("search_docs", "answer_question")
    assert "cron expression" in search("cron expression")
    assert "[^1]" in answer("How do I give Kettle.schedule a cron expression?")
    assert "There is no source" in search("x", source="nobody")
