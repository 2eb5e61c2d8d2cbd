"""Several questions in one are told apart where each stands alone, and one question is never torn."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.errors import ModelError
from pincite.retrieve.splitting import MOST, split, split_by_model


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("How do I bypass the cache and what does `retry_count` do?", ("How do I bypass the cache", "what does `retry_count` do?")),
        ("Where are cookies stored? Who signs tokens?", ("Where are cookies stored?", "Who signs tokens?")),
        ("How does routing work, and why is the session lost?", ("How does routing work", "why is the session lost?")),
        ("Explain how routing works and what middleware does", ("Explain how routing works", "what middleware does")),
        ("如何绕过缓存，以及代理怎么设置？", ("如何绕过缓存", "代理怎么设置？")),
        ("1. how do sessions expire\n2. where are cookies stored", ("how do sessions expire", "where are cookies stored")),
        (
            "We run two servers. How do sessions expire? Where are cookies stored?",
            ("We run two servers. How do sessions expire?", "We run two servers. Where are cookies stored?"),
        ),
    ],
    ids=["and", "two marks", "comma and", "explain", "chinese", "list", "what was told holds for both"],
)
def test_questions_are_told_apart(text, questions):
    assert split(text) == questions


@pytest.mark.parametrize(
    "text",
    [
        "bypass the cache",
        "How do I install Flask and Django?",
        "What is a proxy? How do I configure it?",
        "Who ran the observatory and what did he do under his management?",
        'What does "how to pass and where to fail" mean?',
        "What does `a and what b` print?",
        "how do I configure logging and rotation when disks are full",
        "What happens when and why?",
        "?",
        "",
    ],
)
def test_one_question_stays_one(text):
    assert split(text) == (text,)


def test_there_are_at_most_five_and_none_is_lost():
    text = " ".join(f"Where is option number{n} described?" for n in range(9))
    parts = split(text)
    assert len(parts) == MOST
    assert " ".join(parts) == text


@given(st.text(max_size=300))
def test_whatever_is_asked_gives_one_to_five_questions(text):
    assert 1 <= len(split(text)) <= MOST


class Said:
    """A model that says one thing."""

    name = "said"

    def __init__(self, text="", error=None):
        self.text, self.error = text, error

    def complete(self, system, prompt, *, schema=None, max_tokens=1024):
        if self.error:
            raise self.error
        return self.text


ASKED = "Configure the proxy, and also the cache of pages"


def test_a_model_may_split_what_rules_do_not():
    said = Said('{"questions": ["Configure the proxy", "Configure the cache of pages"]}')
    assert split(ASKED) == (ASKED,)
    assert split_by_model(ASKED, said) == ("Configure the proxy", "Configure the cache of pages")


@pytest.mark.parametrize(
    "model",
    [
        Said(error=ModelError("down", rule="no_server")),
        Said("no JSON"),
        Said('{"questions": []}'),
        Said('{"questions": 3}'),
        Said('{"questions": ["How are unicorns fed?", "Why do dragons sleep?"]}'),
    ],
    ids=["fails", "no JSON", "none", "no list", "invented"],
)
def test_a_model_that_fails_or_invents_leaves_it_to_the_rules(model):
    assert split_by_model(ASKED, model) == (ASKED,)


def test_a_model_gives_at_most_five():
    many = ", ".join(f'"{word} the proxy"' for word in "abcdefghi")
    assert len(split_by_model("a b c d e f g h i and the proxy", Said(f'{{"questions": [{many}]}}'))) == MOST
