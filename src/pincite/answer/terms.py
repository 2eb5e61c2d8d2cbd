"""The content words of a question, and how well a text covers them.

In: question and candidate texts. Out: terms with weights, scores. Words are stemmed, identifiers count whole and in parts, Han and kana
count by pairs. Weights come from the candidates themselves: a word that stands in all of them says little.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import snowballstemmer


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_HAN: Final = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
_TOKEN = re.compile(rf"[{_HAN}]+|[^\W{_HAN}]+(?:[._:-][^\W{_HAN}]+)*")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_STOP = _set(
    "a an the is are was were be been do does did how what which who whom when where why can could should would will shall may"
    " might must i you he she it we they me my your our their its this that these those of in on at to for from by with without and"
    " or not no if then than as so there here into about over under between after before use using used get make way need want have"
    " has had any some all please tell me explain show give der die das und ist wie le la les des est el los las es en de"
)


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    return str(snowballstemmer.stemmer("english").stemWord(word))


def words(text: str) -> tuple[str, ...]:
    """Return the stemmed words of a text, in order, identifiers whole and in parts."""
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match.group()
        if re.match(f"[{_HAN}]", token):
            found += [token] if len(token) == 1 else [token[i : i + 2] for i in range(len(token) - 1)]
            continue
        parts = _PART.findall(token)
        if len(parts) > 1:
            found.append(token.lower())
        found += [p.lower() for p in parts if len(p) > 1 or len(parts) == 1]
    return tuple(_stem(word) for word in found)


def question_terms(question: str) -> frozenset[str]:
    """Return the content words of a question; all its words where it has only small ones."""
    every = frozenset(words(question))
    return (every - {_stem(word) for word in _STOP}) or every


def weights(terms: frozenset[str], texts: Sequence[frozenset[str]]) -> Mapping[str, float]:
    """Return how much each term tells the texts apart: log((n + 1) / (in how many + 0.5))."""
    n = len(texts)
    return {t: math.log((n + 1) / (sum(t in text for text in texts) + 0.5)) + 0.1 for t in terms}


def cover(text: frozenset[str], weighted: Mapping[str, float]) -> float:
    """Return the summed weight of the terms that a text holds."""
    return sum(w for t, w in weighted.items() if t in text)
