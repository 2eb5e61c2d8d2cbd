"""How a question becomes a query, and how the evidence of a chunk, its section and its page becomes one score.

In: analysed words, document frequencies, raw scores. Out: weighted words, tantivy queries, blended scores. The weights were chosen
on coarse grids over two disjoint sets; see docs/decisions.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import tantivy

from pincite.index.analyzer import Word
from pincite.types import Query

MASK_BITS = 24
"""A 32-bit float counts exactly to 2**24: so many terms can be told apart in one constant-score query."""


@dataclass(frozen=True, slots=True)
class Blend:
    """What counts beside a chunk's own terms: its section, its page, and how much of the question it covers."""

    part: float
    page: float
    covered: float


@dataclass(frozen=True, slots=True)
class Weights:
    """What each kind of evidence counts. Prose leans on its page, program text hardly: measured apart, see docs/decisions."""

    name: float = 2.0
    """A chunk defines the very name asked for, times its IDF."""
    plain_name: float = 1.0
    """The same where the word is an ordinary word."""
    phrase: float = 0.5
    """A phrase that the question puts in quotes."""
    split: float = 0.6
    """Parts of an identifier, beside the whole."""
    prose: Blend = Blend(part=0.1, page=0.7, covered=1.0)
    code: Blend = Blend(part=0.2, page=0.5, covered=1.0)


@dataclass(frozen=True, slots=True)
class Weighed:
    """A word with the IDF of each of its terms, and the share of the question that it carries."""

    word: Word
    idf: tuple[float, ...]
    share: float
    known: bool
    absent: bool = False
    """No chunk holds the whole word."""

    @property
    def whole(self) -> bool:
        """Say whether the library knows the word as written; of an identifier, its parts are not enough."""
        return self.known and not (self.word.identifier and self.absent)


def idf(count: int, frequency: int) -> float:
    """Return the BM25 inverse document frequency, as tantivy counts it."""
    return math.log(1.0 + (count - frequency + 0.5) / (frequency + 0.5))


def weigh(words: Sequence[Word], count: int, frequency: Callable[[str], int]) -> tuple[Weighed, ...]:
    """Return the words with their weights. A word that nothing holds keeps a full share: what is asked for is not there."""
    out = []
    for word in words:
        frequencies = [frequency(term) for term in word.terms]
        values = tuple(idf(count, f) for f in frequencies)
        out.append(Weighed(word, values, values[0] if frequencies[0] else max(values), any(frequencies), not frequencies[0]))
    return tuple(out)


def bits(weighed: Sequence[Weighed]) -> dict[str, int]:
    """Return the bit of each term that the mask query tells apart, the weightiest terms first."""
    terms: dict[str, float] = {}
    for item in weighed:
        for term, value in zip(item.word.terms, item.idf, strict=True):
            terms[term] = max(value, terms.get(term, 0.0))
    return {term: bit for bit, term in enumerate(sorted(terms, key=lambda t: (-terms[t], t))[:MASK_BITS])}


class Cover:
    """Reads masks: which words of a question a chunk holds, and the share of its IDF that they carry. Masks repeat, and are kept."""

    def __init__(self, weighed: Sequence[Weighed], places: dict[str, int]) -> None:
        self._total = sum(item.share for item in weighed)
        self._words = tuple((item.word.surface, item.share, *_marks(item, places)) for item in weighed)
        self._shares: dict[int, float] = {}

    def share(self, mask: int) -> float:
        """Return the share of the question's IDF that a mask covers, 0..1."""
        found = self._shares.get(mask)
        if found is None:
            carried = sum(share * _held(mask, whole, parts) for _, share, whole, parts in self._words)
            found = self._shares[mask] = carried / self._total if self._total else 0.0
        return found

    def matched(self, mask: int) -> tuple[str, ...]:
        """Return the words of the question that a mask covers, as written."""
        return tuple(surface for surface, _, whole, parts in self._words if _held(mask, whole, parts))


Parts = tuple[tuple[int, float], ...]
"""The bits of an identifier's parts, each with its share of the word."""


def _marks(item: Weighed, places: dict[str, int]) -> tuple[int, Parts]:
    """Return the bit of the whole word and those of its parts, 0 where the mask has no room for one."""
    whole, *rest = (1 << places[term] if term in places else 0 for term in item.word.terms)
    total = sum(item.idf[1:])
    return whole, tuple((bit, 0.7 * value / total) for bit, value in zip(rest, item.idf[1:], strict=True)) if total else ()


def _held(mask: int, whole: int, parts: Parts) -> float:
    """Return how far a chunk holds a word: 1 for the whole, less for the parts of an identifier alone."""
    return 1.0 if mask & whole else sum(value for bit, value in parts if mask & bit)


EVIDENCE = 0.37
"""Nine tenths of questions with an answer score above this, four fifths of those without one below (100 questions on eight sites)."""


def answerable(weighed: Sequence[Weighed], similarities: Sequence[float]) -> float:
    """Return how far the library seems to hold an answer, 0..1; from 0.5 on it does.

    The best coverage among the first passages, less a half where a name is asked for that stands nowhere, less a little for each
    unknown word.
    """
    missing = any(item.word.identifier and item.absent for item in weighed)
    raw = max(similarities, default=0.0) - 0.5 * missing - 0.05 * sum(not item.known for item in weighed)
    if raw < EVIDENCE:
        return max(0.0, 0.5 * raw / EVIDENCE)
    return 0.5 + 0.5 * (raw - EVIDENCE) / (1.0 - EVIDENCE)


class Queries:
    """Builds tantivy queries over one schema."""

    def __init__(self, schema: tantivy.Schema, weights: Weights, *, history: bool = True) -> None:
        self._schema = schema
        self._weights = weights
        self._history = history
        """Whether the index holds chunks of closed intervals."""

    def literal(self, terms: Sequence[str], query: Query) -> tantivy.Query:
        """Return the query for a question of function words alone: only the very phrase counts."""
        found = self._phrase(terms) if len(terms) > 1 else tantivy.Query.term_query(self._schema, "text", terms[0], "freq")
        return self._filtered(found, query)

    def _phrase(self, terms: Sequence[str]) -> tantivy.Query:
        return tantivy.Query.phrase_query(self._schema, "text", list(terms))

    def chunks(self, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query) -> tantivy.Query:
        """Return the query that finds candidates: any term, phrases in quotes, names defined, filters."""
        clauses: dict[str, float] = {}
        should: list[tuple[tantivy.Occur, tantivy.Query]] = []
        for item in weighed:
            for k, term in enumerate(item.word.terms):
                clauses[term] = max(clauses.get(term, 0.0), 1.0 if k == 0 else self._weights.split)
            boost = self._weights.name if item.word.identifier else self._weights.plain_name
            if boost and item.known:
                named = tantivy.Query.term_query(self._schema, "names", item.word.terms[0], "basic")
                should.append((tantivy.Occur.Should, tantivy.Query.const_score_query(named, boost * item.share)))
        for phrase in phrases:
            should.append((tantivy.Occur.Should, tantivy.Query.boost_query(self._phrase(phrase), self._weights.phrase)))
        for term, weight in clauses.items():
            found = tantivy.Query.term_query(self._schema, "text", term, "freq")
            should.append((tantivy.Occur.Should, tantivy.Query.boost_query(found, weight)))
        return self._filtered(tantivy.Query.boolean_query(should), query)

    def _filtered(self, found: tantivy.Query, query: Query) -> tantivy.Query:
        """Add the filters; where there are none, tantivy may skip what can't come first."""
        clauses = self._filters(query)
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, found), *clauses]) if clauses else found

    def wholes(self, field: str, weighed: Sequence[Weighed], key: str, values: Iterable[int]) -> tantivy.Query:
        """Return the query that scores the pages or sections of the candidates."""
        terms = {
            term: 1.0 if k == 0 else self._weights.split for item in weighed for k, term in reversed(tuple(enumerate(item.word.terms)))
        }
        should = [
            (tantivy.Occur.Should, tantivy.Query.boost_query(tantivy.Query.term_query(self._schema, field, term, "freq"), weight))
            for term, weight in terms.items()
        ]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, tantivy.Query.boolean_query(should)), self._among(key, values)])

    def mask(self, places: dict[str, int], uids: Iterable[int]) -> tantivy.Query:
        """Return a query whose score says, bit by bit, which terms a candidate holds."""
        should = [
            (
                tantivy.Occur.Should,
                tantivy.Query.const_score_query(tantivy.Query.term_query(self._schema, "text", term, "basic"), float(1 << bit)),
            )
            for term, bit in places.items()
        ]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, tantivy.Query.boolean_query(should)), self._among("uid", uids)])

    def among(self, query: Query, uids: Iterable[int]) -> tantivy.Query:
        """Return the query for those of some chunks that meet the filters."""
        return tantivy.Query.boolean_query([self._among("uid", uids), *self._filters(query)])

    def _among(self, key: str, values: Iterable[int]) -> tuple[tantivy.Occur, tantivy.Query]:
        """Restrict to some values. One term query each: a set query walks the dictionary and took four times as long."""
        among = tantivy.Query.boolean_query(
            [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, key, value, "basic")) for value in values]
        )
        return tantivy.Occur.Must, tantivy.Query.const_score_query(among, 0.0)

    def _filters(self, query: Query) -> list[tuple[tantivy.Occur, tantivy.Query]]:
        """Return the clauses that a chunk must meet; they add nothing to its score. Pages and sections have no `text`, `names` or `uid`."""
        wanted = []
        if query.kind != "all":
            wanted.append(self._term("kind", query.kind))
        if query.sources:
            wanted.append(tantivy.Query.term_set_query(self._schema, "source", list(query.sources)))
        if query.version is not None:
            wanted.append(self._term("version", query.version))
        if query.lang:
            wanted.append(self._term("lang", query.lang.lower()))
        if query.refs:
            wanted.append(tantivy.Query.term_set_query(self._schema, "ref", list(query.refs)))
        if query.as_of is not None:
            wanted += self._at(query.as_of)
        elif not query.refs and self._history:
            wanted.append(tantivy.Query.term_query(self._schema, "open", 1, "basic"))
        return [(tantivy.Occur.Must, tantivy.Query.const_score_query(clause, 0.0)) for clause in wanted]

    def _at(self, moment: datetime) -> list[tantivy.Query]:
        at = max(0, round(moment.timestamp() * 1000))
        number = tantivy.FieldType.Unsigned
        return [
            tantivy.Query.range_query(self._schema, "since", number, upper_bound=at),
            tantivy.Query.range_query(self._schema, "until", number, lower_bound=at, include_lower=False),
        ]

    def _term(self, field: str, value: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, field, value, "basic")
