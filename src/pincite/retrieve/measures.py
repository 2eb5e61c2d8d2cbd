"""How good a ranking is: recall@k, MRR, nDCG@10, and whether one is better than another.

In: gold places and passages, or two lists of figures question by question. Out: ranks, means, a bootstrap interval. Pure; the only
chance is a seeded generator.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.types import Passage


@dataclass(frozen=True, slots=True)
class Gold:
    """A place that answers a question: a passage of that path which holds the evidence, or stands under that heading."""

    path: str
    evidence: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with every place that answers it."""

    query: str
    places: tuple[Gold, ...]
    kind: str = "all"


@dataclass(frozen=True, slots=True)
class Figures:
    """Means over questions, each 0..1."""

    questions: int
    recall_at_1: float
    recall_at_5: float
    recall_at_10: float
    mrr: float
    ndcg_at_10: float


def right(passage: Passage, place: Gold) -> bool:
    """Say whether a passage is the place: path by its ending, then evidence with white space collapsed, then the last heading."""
    path = passage.path.rstrip("/")
    if path != place.path and not path.endswith("/" + place.path):
        return False
    if place.evidence:
        return " ".join(place.evidence.split()) in " ".join(passage.text.split())
    return not place.heading or (bool(passage.heading) and passage.heading[-1] == place.heading)


def gains(asked: Asked, passages: Sequence[Passage]) -> list[int]:
    """Return 1 for each passage that brings a place not seen before, else 0."""
    left = set(asked.places)
    out = []
    for passage in passages:
        found = {place for place in left if right(passage, place)}
        left -= found
        out.append(int(bool(found)))
    return out


def rank(gained: Sequence[int]) -> int | None:
    """Return the rank of the first right passage, from 1."""
    return next((k for k, gain in enumerate(gained, 1) if gain), None)


def ndcg(gained: Sequence[int], places: int, k: int = 10) -> float:
    """Return the normalized discounted cumulative gain within the first `k` (Järvelin and Kekäläinen 2002)."""
    ideal = sum(1.0 / math.log2(i + 1) for i in range(1, min(places, k) + 1))
    return sum(gain / math.log2(i + 1) for i, gain in enumerate(gained[:k], 1)) / ideal if ideal else 0.0


def figures(rows: Sequence[tuple[Asked, Sequence[int]]]) -> Figures:
    """Return the means."""
    n = max(1, len(rows))
    ranks = [rank(gained) for _, gained in rows]

    def at(k: int) -> float:
        return sum(r is not None and r <= k for r in ranks) / n

    return Figures(
        questions=len(rows),
        recall_at_1=at(1),
        recall_at_5=at(5),
        recall_at_10=at(10),
        mrr=sum(1.0 / r for r in ranks if r) / n,
        ndcg_at_10=sum(ndcg(gained, len(asked.places)) for asked, gained in rows) / n,
    )


@dataclass(frozen=True, slots=True)
class Difference:
    """Mean difference question by question, with its 95 % interval, and how many questions won and lost."""

    mean: float
    low: float
    high: float
    better: int
    worse: int


def paired(new: Sequence[float], old: Sequence[float], *, samples: int = 5000, seed: int = 7) -> Difference:
    """Compare two systems on the same questions by the paired bootstrap (Efron and Tibshirani 1993, ch. 13)."""
    deltas = [a - b for a, b in zip(new, old, strict=True)]
    n = len(deltas)
    if not n:
        return Difference(0.0, 0.0, 0.0, 0, 0)
    chance = random.Random(seed)
    means = sorted(sum(chance.choices(deltas, k=n)) / n for _ in range(samples))
    low, high = means[int(0.025 * samples)], means[min(samples - 1, int(0.975 * samples))]
    return Difference(sum(deltas) / n, low, high, sum(d > 0 for d in deltas), sum(d < 0 for d in deltas))
