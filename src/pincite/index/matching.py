"""Scores documents of a segment by the words of a question, and counts words inside chosen chunks.

In: fields, weighted words. Out: arrays of scores and counts. A word counts by itself or by its synonyms, whichever is more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial, reduce

import numpy as np

from pincite.index.scoring import Cover, Weighed, Weights
from pincite.index.segment import Array, Ragged, group, ranges
from pincite.index.view import Codes, Field, Side, View, saturated
from pincite.types import Hit

MANY = 1000
"""Chunks of prose from which a group of synonyms must tell something to be asked for."""
TELLING = 1.0
"""IDF that it must have: two of five sections hold what has less. Without such groups the passages are the same, found a sixth sooner."""


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the question or a group of synonyms: its numbers, and how much it weighs beside the others."""

    text: str
    codes: Codes
    weight: float


@dataclass(frozen=True, slots=True)
class Clause:
    """A term and the groups of its synonyms, of which the best counts."""

    own: Term
    groups: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier or word that a document may define, and the IDF that this adds."""

    codes: Codes
    share: float
    identifier: bool
    known: bool


@dataclass(frozen=True, slots=True)
class Sought:
    """A question as one state of the index understands it."""

    cover: Cover
    clauses: tuple[Clause, ...]
    heaviest: tuple[Term, ...]
    """Each term once with the greatest weight that a word gives it, for fields without synonyms."""
    names: tuple[Name, ...]
    phrases: tuple[tuple[Codes, ...], ...]


def understood(view: View, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], weights: Weights) -> Sought:
    """Return the words of a question with their places in the index; parts of identifiers count less than the whole."""
    known: dict[str, Codes] = {}

    def codes(term: str) -> Codes:
        if term not in known:
            known[term] = view.codes(term)
        return known[term]

    side = view.prose
    many = side.rows >= MANY
    clauses: dict[str, Clause] = {}
    heaviest: dict[str, float] = {}
    for item in weighed:
        likes = item.word.likes or ((),) * len(item.word.terms)
        for k, term in enumerate(item.word.terms):
            weight = 1.0 if k == 0 else weights.own if item.word.spoken else weights.split
            heaviest[term] = max(weight, heaviest.get(term, 0.0))
            if term not in clauses and k < len(likes):
                alike = (Term(g, codes(group(g)), weights.like * weight) for g in likes[k])
                groups = tuple(one for one in alike if not many or side.whole_likes.rarity(one.codes) >= TELLING)
                clauses[term] = Clause(Term(term, codes(term), weight), groups)
    return Sought(
        Cover(weighed),
        tuple(clauses.values()),
        tuple(Term(term, codes(term), weight) for term, weight in heaviest.items()),
        tuple(Name(codes(item.word.terms[0]), item.share, item.word.identifier, item.known) for item in weighed),
        tuple(tuple(codes(term) for term in phrase) for phrase in phrases),
    )


@dataclass(frozen=True, slots=True)
class Ranked:
    """Something found, by its score; its hits are only made where it is among the best of all kinds."""

    score: float
    hits: Callable[[], list[Hit]]


Alternatives = tuple[tuple[Field, int, float], ...]
"""What a clause comes down to in one segment: fields, the number of a term in each, and its weight times its IDF there."""


def weight(field: Field, term: Term) -> float:
    """Return what a term weighs in a field: its weight times its IDF there; 0 where nothing holds it."""
    return term.weight * field.rarity(term.codes)


def clauses(text: Field, likes: Field, sought: Sequence[Clause], segments: int) -> list[list[Alternatives]]:
    """Return for each segment the clauses that it can meet."""
    out: list[list[Alternatives]] = [[] for _ in range(segments)]
    for clause in sought:
        weighted = [(text, clause.own, weight(text, clause.own)), *((likes, g, weight(likes, g)) for g in clause.groups)]
        for at, mine in enumerate(out):
            if held := tuple((field, term.codes[at], w) for field, term, w in weighted if w and term.codes[at] >= 0):
                mine.append(held)
    return out


def terms(field: Field, sought: Sequence[Term], segments: int) -> list[list[Alternatives]]:
    """Return the same of terms without synonyms."""
    weighted = [(term.codes, w) for term in sought if (w := weight(field, term))]
    return [[((field, codes[at], w),) for codes, w in weighted if codes[at] >= 0] for at in range(segments)]


DENSE = 4
"""From one document in so many on, what a clause adds is kept for every document: that takes no more room, and is added faster."""


def scored(view: View, at: int, size: int, wanted: Sequence[Alternatives]) -> Array:
    """Return the scores of the documents of a segment: the sum of what the best alternative of each clause gives."""
    scores = np.zeros(size, np.float32)
    for some in wanted:
        docs, added = view.kept.get((at, some), partial(_met, at, size, some))
        if docs is None:
            scores += added
        else:
            scores[docs] += added
    return scores


def _met(at: int, size: int, some: Alternatives) -> tuple[Array | None, Array]:
    """Return the documents that meet a clause, None for all of them, and what the best of its alternatives adds to each."""
    found = [field.scores(at, code, weighs) for field, code, weighs in some]
    if len(found) == 1 and len(found[0][0]) * DENSE < size:
        return found[0][0].astype(np.intp), found[0][1]
    best = np.zeros(size, np.float32)
    for docs, added in found:
        best[docs] = np.maximum(best[docs], added)
    if np.count_nonzero(best) * DENSE >= size:
        return None, best
    every = np.flatnonzero(best)
    return every, best[every]


def looked_up(field: Field, at: int, docs: Array, sought: Sequence[Term]) -> Array:
    """Return the scores of some documents of a segment, by terms without synonyms."""
    return field.scores_of(at, docs, [(term.codes[at], w) for term in sought if term.codes[at] >= 0 and (w := weight(field, term))])


def add_names(scores: Array, field: Field, at: int, names: Sequence[tuple[Codes, float]]) -> None:
    """Add to the documents that define a name what that is worth."""
    for codes, worth in names:
        if codes[at] >= 0 and worth:
            scores[field.postings[at].of(codes[at])[0]] += np.float32(worth)


SAMPLE = 8
"""The best of every eighth document bound from below the best of all: most documents are then left out by one comparison."""


def best(scores: Array, limit: int) -> Array:
    """Return the places of the highest scores above 0, best first."""
    sample = scores[::SAMPLE] if limit * SAMPLE < len(scores) else scores[:0]
    floor = float(np.partition(sample, -limit)[-limit]) if len(sample) > limit else 0.0
    found = (scores >= floor if floor > 0 else scores).nonzero()[0]
    return found[np.argsort(-scores[found], kind="stable")][:limit]


def top(scores: Sequence[Array], limit: int) -> list[tuple[int, Array, Array]]:
    """Return the best documents of all segments: of each segment that has some, its number, their places and their scores."""
    places = [best(some, limit) for some in scores]
    values = [some[mine] for some, mine in zip(scores, places, strict=True)]
    if sum(map(len, values)) > limit:
        first = np.zeros(sum(map(len, values)), bool)
        first[np.argsort(-np.concatenate(values), kind="stable")[:limit]] = True
        parts = np.split(first, np.cumsum([len(mine) for mine in values])[:-1])
        places = [mine[part] for mine, part in zip(places, parts, strict=True)]
        values = [mine[part] for mine, part in zip(values, parts, strict=True)]
    return [(at, mine, values[at]) for at, mine in enumerate(places) if len(mine)]


Made = tuple[Array, Array, Callable[[int], list[Hit]]]
"""Of some things found in a segment: their scores, what orders those that score the same, and the hits of the one of that number."""


def ranked(found: Sequence[Made], limit: int) -> list[Ranked]:
    """Return the best of all that was found, best first."""
    if not found:
        return []
    scores, keys = np.concatenate([some[0] for some in found]), np.concatenate([some[1] for some in found])
    order = np.lexsort((keys, -scores))[:limit]
    ends = np.cumsum([len(some[0]) for some in found])
    which = ends.searchsorted(order, side="right").tolist()
    starts = [0, *ends.tolist()]
    return [
        Ranked(score, partial(found[k][2], place - starts[k]))
        for place, score, k in zip(order.tolist(), scores[order].tolist(), which, strict=True)
    ]


def stretch(lists: Ragged, first: Array, last: Array, rows: Array) -> tuple[Array, Array]:
    """Return all that the rows of some ranges hold, and where each row begins and ends in it."""
    start = lists.start
    bounds = zip(start[first].tolist(), start[last].tolist(), strict=True)
    edges = np.zeros(len(rows) + 1, np.int64)
    np.cumsum(start[rows + 1] - start[rows], out=edges[1:])
    return np.concatenate([lists.values[low:high] for low, high in bounds]), edges


def counted(held: Array, edges: Array, wanted: Sequence[int], vocabulary: int) -> Array:
    """Return how often each row holds each of the wanted terms: rows x terms. A term numbered -1 is held by none."""
    columns = np.zeros(vocabulary, np.uint8 if len(wanted) < 255 else np.uint16)
    for k, code in enumerate(wanted):
        if code >= 0:
            columns[code] = k + 1
    column = columns.take(held)
    at = column.astype(bool).nonzero()[0]
    row: Array = edges.searchsorted(at, side="right") - 1
    shape = len(edges) - 1, len(wanted)
    cells: Array = row * shape[1] + column[at] - 1
    return np.bincount(cells, minlength=shape[0] * shape[1]).reshape(shape)


def phrased(held: Array, edges: Array, phrase: Sequence[int]) -> Array:
    """Return how often each row holds the terms of a phrase one after the other."""
    rows, last = len(edges) - 1, len(held) - len(phrase) + 1
    if min(phrase) < 0 or last <= 0:
        return np.zeros(rows, np.int64)
    found = reduce(np.logical_and, (held[k : last + k] == code for k, code in enumerate(phrase)))
    at = np.flatnonzero(found)
    row = np.searchsorted(edges, at, side="right") - 1
    return np.bincount(row[at + len(phrase) <= edges[row + 1]], minlength=rows)


def add_phrases(scores: Array, side: Side, at: int, phrases: Sequence[tuple[Codes, ...]], worth: float) -> None:
    """Add to the sections that hold a phrase in one of their chunks what BM25 gives for it."""
    field, rows, wholes = side.wholes, side.shelves[at].rows, side.shelves[at].wholes
    for phrase in phrases:
        numbers = [codes[at] for codes in phrase]
        if min(numbers) < 0:
            continue
        held = reduce(np.intersect1d, (field.postings[at].of(number)[0] for number in numbers))
        if not len(held):
            continue
        lines, owner = ranges(wholes.first[held], wholes.last[held])
        values, edges = stretch(rows.text, wholes.first[held], wholes.last[held], lines)
        times = np.bincount(owner, weights=phrased(values, edges, numbers), minlength=len(held))
        scores[held] += saturated(times, field.norms[at][held], worth * sum(map(field.rarity, phrase)))
