"""In: the words of questions. Out: the expressions among them, and that they are read as the word that documentation has for them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.index.analyzer import Analyzer
from pincite.index.phrases import spoken
from pincite.index.synonyms import table
from pincite.index.vocabulary import EXPRESSIONS


@pytest.mark.parametrize(
    ("question", "found"),
    [
        pytest.param("throw away the clay", {"throw away": "discard"}, id="together"),
        pytest.param("the clay was thrown away", {"thrown away": "discard"}, id="an irregular form"),
        pytest.param("turning the old kiln off", {"turning off": "disable"}, id="words between a verb and its particle"),
        pytest.param("turn the very old and cold kiln off", {}, id="too many words between them"),
        pytest.param("throw the clay", {}, id="the verb alone"),
        pytest.param("an out-of-date glaze", {"out-of-date": "stale"}, id="written with hyphens"),
        pytest.param("Keep the cat from sleeping in it", {"Keep from": "prevent"}, id="keeping something from happening"),
        pytest.param("glaze and fire at the same time", {"at the same time": "concurrently"}, id="no verb at all"),
        pytest.param("turn turn off", {"turn off": "disable"}, id="each word in one expression at most"),
    ],
)
def test_an_expression_is_read_as_one_word(question: str, found: dict[str, str]) -> None:
    words = question.split()
    assert {" ".join(words[place] for place in one.places): one.word for one in spoken(words)} == found


def test_an_expression_keeps_its_surface_and_its_own_words() -> None:
    word = next(word for word in Analyzer().question("Do I throw away cold clay?") if word.surface == "throw away")
    assert word.terms == ("discard", "throw", "away")
    assert not word.identifier
    assert not word.stop


def test_what_stands_in_quotes_is_no_expression() -> None:
    assert [word.surface for word in Analyzer().question('the button "turn off"') if word.surface.startswith("turn")] == ["turn"]


def test_the_parts_of_a_compound_have_their_synonyms() -> None:
    compound = next(word for word in Analyzer().question("a folder-wide search") if "-" in word.surface)
    assert any(compound.likes)


def test_each_expression_stands_for_one_word_and_has_several() -> None:
    for entry in EXPRESSIONS.split("/"):
        phrase, _, word = entry.partition(":")
        assert len(phrase.split()) > 1, entry
        assert len(word.split()) == 1, entry


def test_every_group_of_synonyms_has_at_least_two_words() -> None:
    analyzer = Analyzer()
    groups: dict[str, set[str]] = {}
    for first, entries in table(lambda word: analyzer.terms(word)).items():
        for rest, token in entries:
            groups.setdefault(token[1:], set()).add(" ".join((first, *rest)))
    assert [words for words in groups.values() if len(words) < 2] == []


@given(
    st.lists(
        st.sampled_from(("turn", "off", "the", "throw", "away", "keep", "from", "out", "of", "date", "no", "longer", "kiln", "take")),
        max_size=14,
    )
)
def test_no_word_is_in_two_expressions(words: list[str]) -> None:
    places = [place for one in spoken(words) for place in one.places]
    assert len(places) == len(set(places))
    assert all(0 <= place < len(words) for place in places)
