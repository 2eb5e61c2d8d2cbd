"""Do the words of a sentence stand in its quote with two of them changed round: A waits for B, B waits for A?

In: the words of a sentence and of the quoted one, and both as they are written. Out: a reason, or an empty string. A phrase that moved from
one end to the other, a passive, and two names joined by `and` say the same in another order.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pincite.cite.carried import Word
from pincite.cite.fold import CJK

MOST_WORDS: Final = 30
SHARED: Final = 0.8
"""Share of a sentence's words that must stand in the quote for their order to say anything."""
_MOVING: Final = frozenset(
    ("before", "after", "while", "when", "if", "until", "unless", "since", "once", "as", "than", "every", "each", "all", "only")
)
_BY = re.compile(r"\b(?:by|von|durch|par|por)\b", re.I)
_PASSIVE = re.compile(
    r"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ly\s+|not\s+|never\s+)?\w+(?:ed|en|wn|ne|ung|pt|ut|ld|ft|lt|nt|ade)\b", re.I
)
_JOINED = re.compile(r"\b(?:and|or|und|oder|et|ou|y|o)\b", re.I)


def shuffled(mine: Sequence[Word], theirs: Sequence[Word], sentence: str, quoted: str) -> str:
    """Return which two words changed places, or an empty string."""
    said, told = [w.stem for w in mine], [w.stem for w in theirs]
    if len(set(said) & set(told)) < SHARED * len(set(said)) or len(said) > MOST_WORDS or CJK.search("".join(said)):
        return ""
    if any((p.search(sentence) is None) is not (p.search(quoted) is None) for p in (_BY, _PASSIVE)):
        return ""
    fronted = len([w for w in re.split(r"\W+", sentence.partition(",")[0]) if w]) if 0 < sentence.find(",") < len(sentence) // 2 else 0
    first = next((n for n in range(1, len(mine)) if n >= fronted), 0) if fronted else 0
    turns = [tuple(mine), (*mine[first:], *mine[:first])] if first else [tuple(mine)]
    found = [_round(turn, told) for turn in turns]
    return found[0] if all(found) else _swapped(mine, told, sentence)


def _round(mine: Sequence[Word], told: Sequence[str]) -> str:
    """Find two words that changed places round a third."""
    said = [w.stem for w in mine]
    once = [w for w in mine if w.word not in _MOVING and said.count(w.stem) == 1 == told.count(w.stem)]
    at = {w.stem: told.index(w.stem) for w in once}
    for i, first in enumerate(once):
        for j in range(i + 2, len(once)):
            low, high = at[once[j].stem], at[first.stem]
            if low < high and any(low < at[w.stem] < high for w in once[i + 1 : j]):
                return f"{first.word} and {once[j].word} changed places"
    return ""


def _swapped(mine: Sequence[Word], told: Sequence[str], sentence: str) -> str:
    """Find two neighbours that changed places, where all else stands as it does in the quote and nothing joins them."""
    said = [w.stem for w in mine]
    if len(said) != len(told) or _JOINED.search(sentence):
        return ""
    other = [i for i, (a, b) in enumerate(zip(said, told, strict=True)) if a != b]
    if len(other) == 2 and other[1] - other[0] == 1 and said[other[0]] == told[other[1]] and said[other[1]] == told[other[0]]:
        return f"{mine[other[0]].word} and {mine[other[1]].word} changed places"
    return ""
