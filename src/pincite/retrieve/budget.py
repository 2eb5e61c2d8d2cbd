"""Keeps passages within a number of tokens.

In: passages, best first, and a budget. Out: those that fit, in their order. Pure; tokens are estimated by `pincite.tokens`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pincite.tokens import estimate
from pincite.types import Passage


def within(passages: Iterable[Passage], budget: int) -> list[Passage]:
    """Return the passages that fit, best first; where the very best alone is too large, its beginning, still an exact slice."""
    kept: list[Passage] = []
    left = budget
    for passage in passages:
        size = cost(passage)
        if size > left and not kept:
            kept.append(shortened(passage, left))
            break
        if size <= left:
            kept.append(replace(passage, rank=len(kept) + 1))
            left -= size
    return [passage for passage in kept if passage.text]


def cost(passage: Passage) -> int:
    """Return the tokens of a passage with its labelled neighbours."""
    return estimate(passage.text) + sum(estimate(str(near["text"])) for near in passage.context)


def shortened(passage: Passage, budget: int) -> Passage:
    """Return the beginning of a passage that fits, cut after a line or between words, without neighbours."""
    text, low, high = passage.text, 0, len(passage.text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate(text[:middle]) <= budget else (low, middle - 1)
    if low < len(text):
        at = max(text.rfind("\n", 0, low), text.rfind("。", 0, low) + 1)
        low = at if at > low // 2 else max(text.rfind(" ", 0, low), 0) or low
    return replace(passage, rank=1, text=text[:low], end=passage.start + low, context=())
