"""How weighted words become tantivy queries.

In: weighted words, phrases, filters, keys of candidates. Out: queries over one schema. `text`, `part` and `page` hold terms of chunks,
sections of prose and pages; `like` and `partlike` the groups of synonyms of terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import tantivy

from pincite.index.scoring import Weighed, Weights
from pincite.types import Query

Should = list[tuple[tantivy.Occur, tantivy.Query]]
LIKES = {"text": "like", "part": "partlike"}


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

    def parts(self, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query) -> tantivy.Query:
        """Return the query that finds sections of prose: any word or its like, phrases in quotes, identifiers defined, filters."""
        should = self._words("part", weighed)
        for item in weighed:
            if item.word.identifier and item.known:
                should.append(self._named(item, self._weights.named))
        for phrase in phrases:
            exact = tantivy.Query.phrase_query(self._schema, "part", list(phrase))
            should.append((tantivy.Occur.Should, tantivy.Query.boost_query(exact, self._weights.phrase)))
        return self._filtered(tantivy.Query.boolean_query(should), replace(query, kind="all"))

    def _named(self, item: Weighed, boost: float) -> tuple[tantivy.Occur, tantivy.Query]:
        named = tantivy.Query.term_query(self._schema, "names", item.word.terms[0], "basic")
        return tantivy.Occur.Should, tantivy.Query.const_score_query(named, boost * item.share)

    def _words(self, field: str, weighed: Sequence[Weighed]) -> Should:
        """Return a clause for each term: the term itself or, a little less, its synonyms; parts of identifiers count less."""
        weights, seen, should = self._weights, set(), []
        for item in weighed:
            likes = item.word.likes or ((),) * len(item.word.terms)
            for k, (term, groups) in enumerate(zip(item.word.terms, likes, strict=False)):
                if term in seen:
                    continue
                seen.add(term)
                weight = 1.0 if k == 0 else weights.split
                own = self._weighty(field, term, weight)
                alike = [self._weighty(LIKES[field], group, weights.like * weight) for group in groups]
                should.append((tantivy.Occur.Should, tantivy.Query.disjunction_max_query([own, *alike]) if alike else own))
        return should

    def _weighty(self, field: str, term: str, weight: float) -> tantivy.Query:
        found = tantivy.Query.term_query(self._schema, field, term, "freq")
        return found if weight == 1.0 else tantivy.Query.boost_query(found, weight)

    def pages(self, weighed: Sequence[Weighed], query: Query) -> tantivy.Query:
        """Return the query that finds pages of prose: any word. Synonyms, which a page has many of, told pages apart no better."""
        terms: dict[str, float] = {}
        for item in weighed:
            for k, term in enumerate(item.word.terms):
                terms[term] = max(terms.get(term, 0.0), 1.0 if k == 0 else self._weights.split)
        should = [(tantivy.Occur.Should, self._weighty("page", term, weight)) for term, weight in terms.items()]
        return self._filtered(tantivy.Query.boolean_query(should), replace(query, kind="all"))

    def inside(self, weighed: Sequence[Weighed], sections: Iterable[int]) -> tantivy.Query:
        """Return the query that scores the chunks of some sections."""
        should = [*self._words("text", weighed), *(self._named(item, self._weights.name) for item in weighed if item.word.identifier)]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, tantivy.Query.boolean_query(should)), self._among("section", sections)])

    def chunks(self, weighed: Sequence[Weighed], phrases: Sequence[Sequence[str]], query: Query) -> tantivy.Query:
        """Return the query that finds program text: any term, phrases in quotes, names defined, filters."""
        clauses: dict[str, float] = {}
        should: list[tuple[tantivy.Occur, tantivy.Query]] = []
        for item in weighed:
            for k, term in enumerate(item.word.terms):
                clauses[term] = max(clauses.get(term, 0.0), 1.0 if k == 0 else self._weights.split)
            boost = self._weights.name if item.word.identifier else self._weights.plain_name
            if boost and item.known:
                should.append(self._named(item, boost))
        for phrase in phrases:
            should.append((tantivy.Occur.Should, tantivy.Query.boost_query(self._phrase(phrase), self._weights.phrase)))
        for term, weight in clauses.items():
            found = tantivy.Query.term_query(self._schema, "text", term, "freq")
            should.append((tantivy.Occur.Should, tantivy.Query.boost_query(found, weight)))
        return self._filtered(tantivy.Query.boolean_query(should), replace(query, kind="code"))

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

    def mask(self, places: Mapping[str, int], uids: Iterable[int], likes: Mapping[tuple[str, ...], int] | None = None) -> tantivy.Query:
        """Return a query whose score says, bit by bit, which terms and which synonyms a candidate holds."""
        held = [(tantivy.Query.term_query(self._schema, "text", term, "basic"), bit) for term, bit in places.items()]
        for groups, bit in (likes or {}).items():
            some = [(tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "like", group, "basic")) for group in groups]
            held.append((tantivy.Query.boolean_query(some), bit))
        should = [(tantivy.Occur.Should, tantivy.Query.const_score_query(query, float(1 << bit))) for query, bit in held]
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
