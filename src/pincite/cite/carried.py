"""Does one sentence of a text say what a claim says, in the claim's own words and order?

In: a claim, texts. Out: yes or no. It is what a judge's yes needs before a claim is called entailed: a judge may be wrong, or talked into
it; words that stand there in that order can be looked up. Reversed claims, swapped words and things that a page does not speak of fail,
and so does many a true paraphrase, which stays what it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from pincite.cite import meaning
from pincite.cite.facts import stems
from pincite.cite.fold import fold
from pincite.cite.haystack import tokens
from pincite.sentences import sentences


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LIGHT: Final = _set("the a an this that these those it its their his her is are was were be been being do does did will has have had and")
"""Words that come and go without a change of meaning."""
_MOVES: Final = _set(
    "by in on at with without when whenever while if unless until after before since once for from during under within as because"
    " bei nach vor wenn si quand après avant cuando"
)
"""What begins a phrase that may stand before the sentence as well as behind it."""
_BINDS: Final = _set("only unless except if when whenever until provided without but while whether where")


class Word(NamedTuple):
    """A folded word as it is written, and what it is compared by."""

    word: str
    stem: str


def carried(claim: str, texts: Sequence[str]) -> bool:
    """Say whether each sentence of the claim stands, word for word in its order, in one sentence of the texts.

    A phrase may move from one end to the other; what else that sentence says must not bind or turn it.
    """
    told = [s for said in texts for s in _said(said)]
    asked = [words for words in _said(claim) if words]
    return bool(asked) and all(any(_within(words, other) for other in told) for words in asked)


def _said(text: str) -> Iterator[tuple[Word, ...]]:
    """Yield the words of each sentence and line."""
    for line in re.split(r"\n+", text):
        for cut in sentences(line):
            words = tokens(re.sub(r"(?<=\d),(?=\d{3})", "", fold(cut.of(line)).text)).words
            yield tuple(Word(word, stem) for word in words if word not in LIGHT for stem in stems(word) or (word,))


def _within(claim: tuple[Word, ...], said: tuple[Word, ...]) -> bool:
    turns = [0, *(k for k in range(1, len(claim)) if claim[k].word in _MOVES or claim[0].word in _MOVES)]
    for k in turns:
        rest = _left_over((*claim[k:], *claim[:k]), said)
        if rest is not None:
            return not any(word in _BINDS or meaning.turns(word) for word in rest)
    return False


def _left_over(claim: tuple[Word, ...], said: tuple[Word, ...]) -> tuple[str, ...] | None:
    """Return the words of a sentence beside those of the claim, or None where those do not stand in it in order."""
    rest: list[str] = []
    at = 0
    for each in said:
        if at < len(claim) and each.stem == claim[at].stem:
            at += 1
        else:
            rest.append(each.word)
    return tuple(rest) if at == len(claim) else None
