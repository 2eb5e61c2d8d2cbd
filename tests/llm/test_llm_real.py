"""In: a small real model behind a real server (`make test-llm`). Out: form, verification and refusal, never cleverness."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.adapters.openai import Endpoint, OpenAIModel
from pincite.answer.prompt import SCHEMA
from pincite.errors import ModelError
from pincite.library import Library
from pincite.settings import Settings
from pincite.types import Answer, AskOptions

URL = os.environ.get("PINCITE_TEST_LLM", "")
pytestmark = pytest.mark.skipif(not URL, reason="needs a model's server: make test-llm")
PAGE = """# The kiln

The kiln heats to 1,200 degrees in four hours. It must be closed while it is hot.

Glazes are mixed by weight, never by volume.
"""
QUESTION = "How long does the kiln take to heat?"


@pytest.fixture
def model() -> Iterator[OpenAIModel]:
    made = OpenAIModel(Endpoint(URL, "smollm2", timeout_s=300.0))
    yield made
    made.close()


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "kiln.md").write_text(PAGE, "utf-8")
    settings = Settings(llm_url=URL, model="smollm2", llm_timeout_s=300.0)
    with Library(str(tmp_path / "library.db"), settings=settings) as opened:
        opened.add(str(tmp_path / "docs"))
        yield opened


def sound(answer: Answer, library: Library) -> None:
    for citation in answer.citations:
        assert citation.span.of(library.document(citation.capture.ref).text) == citation.quote
    notes = re.findall(r"^\[\^(\d+)\]: ", answer.markdown, re.M)
    assert notes == [str(c.n) for c in answer.citations]
    assert all(d.reason for d in answer.dropped)


def test_text_comes_whole_and_in_pieces(model: OpenAIModel) -> None:
    whole = model.complete("Answer briefly.", "Name one colour.", max_tokens=24)
    pieces = list(model.stream("Answer briefly.", "Name one colour.", max_tokens=24))
    assert whole.strip()
    assert "".join(pieces) == whole
    assert model.usage["completion_tokens"] > 0


def test_a_schema_binds_the_form(model: OpenAIModel) -> None:
    text = model.complete("Answer in JSON.", "Quote this sentence: the kiln is hot.", schema=SCHEMA, max_tokens=160)
    try:
        assert isinstance(json.loads(text)["claims"], list)
    except json.JSONDecodeError:
        assert text.lstrip().startswith("{"), "cut off at the limit, but in the form"


def test_a_question_gives_a_verified_answer_or_a_refusal(library: Library) -> None:
    answer = library.ask(QUESTION, options=AskOptions(style="short"))
    assert answer.model == "smollm2"
    assert answer.abstained or answer.citations
    sound(answer, library)


def test_a_streamed_answer_is_the_same_sentences(library: Library) -> None:
    *pieces, answer = library.stream(QUESTION, options=AskOptions(style="short"))
    assert isinstance(answer, Answer)
    assert all(isinstance(p, str) and p in answer.markdown for p in pieces)
    sound(answer, library)


def test_a_question_that_the_library_cannot_answer_reaches_no_model(library: Library) -> None:
    answer = library.ask("What does QuantumBakery.preheat_oven() return?")
    assert answer.abstained
    assert answer.model is None


def test_a_prompt_that_is_too_long_is_said_so(model: OpenAIModel) -> None:
    with pytest.raises(ModelError) as caught:
        model.complete("Answer briefly.", "clay " * 20_000)
    assert caught.value.rule == "context_too_long"
