"""Words and meaning together: the lexical index and vectors, mixed by weighted score.

In: the store's change log and its shelf of vectors, an embedder, questions. Out: hits as the lexical index gives them, and those that only
the vectors found. Filters are the lexical index's; words count more than vectors. The vectors belong to the store: what finds the nearest
ones only follows it, and is filled again without embedding anything twice.
"""

from __future__ import annotations

import logging
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from pincite import tokens
from pincite.errors import ModelError, StoreError
from pincite.index.fusion import fused
from pincite.index.lexical import LexicalFound, LexicalIndex
from pincite.protocols import ChangeFeed, Closable, Embedder, Shelf, VectorStore
from pincite.types import Entry, Hit, Point, Query, digest

log = logging.getLogger("pincite.index")
BATCH = 64
"""Texts embedded, and kept, at once: a break loses no more."""
STEP = 200
"""Changes followed at once."""
POOL = 200
"""How many hits of each kind are mixed."""
WIDEST = 8 * POOL
"""How many of the nearest are looked at, at most, for those that the filters let through."""


class HybridIndex:
    """Implements the Index socket on a lexical index, a vector store and an embedder."""

    def __init__(self, lexical: LexicalIndex, vectors: VectorStore, embedder: Embedder, shelf: Shelf) -> None:
        self._lexical = lexical
        self._vectors = vectors
        self._embedder = embedder
        self._shelf = shelf
        self._looked = -1
        self._made = 0

    def catch_up(self, feed: ChangeFeed, *, full: bool = False) -> int:
        """Replay the changes not yet seen in both. Without `full` the vectors go as far as the store has them."""
        done = self._lexical.catch_up(feed)
        newest = feed.seq()
        if full or newest != self._looked:
            try:
                self._follow(feed, newest, full and not self._shelf.read_only)
            except ModelError as error:
                log.warning("%s What was captured is kept; `pincite reindex --embed` goes on.", error.message)
            self._looked = newest
        return done

    def embed(self, feed: ChangeFeed) -> int:
        """Make the vectors that are missing and return their number. Raises ModelError; what was made is kept, and is not made again."""
        before = self._made
        self._lexical.catch_up(feed)
        self._follow(feed, feed.seq(), True)
        return self._made - before

    def _follow(self, feed: ChangeFeed, newest: int, full: bool) -> None:
        if self._shelf.read_only and self._vectors.seen():
            return
        if self._vectors.seen() > newest:
            log.warning("The vectors are ahead of their store (a restored copy?) and are placed again.")
            self._vectors.clear()
        while changes := feed.changes_since(self._vectors.seen(), STEP):
            gone = list(dict.fromkeys(change.holding for change in changes if change.op in ("open", "retire")))
            live = [entry for holding in gone for entry in feed.entries(holding) if _wanted(entry)]
            texts = {digest(text): text for text in map(_embedded, live)}
            made = dict(self._shelf.vectors(self._embedder.name, list(texts)))
            if missing := {key: text for key, text in texts.items() if key not in made}:
                if not full:
                    log.warning("Passages have no vector yet and are found by words alone: `pincite reindex --embed` makes them.")
                    return
                made |= self._embed(missing)
            points = [Point(entry.id, entry.holding.id, entry.holding.source, made[digest(_embedded(entry))]) for entry in live]
            self._vectors.write(points, gone, changes[-1].seq)

    def _embed(self, texts: Mapping[str, str]) -> dict[str, bytes]:
        """Embed, batch by batch, and keep each batch in the store before the next is asked for."""
        made: dict[str, bytes] = {}
        keys = list(texts)
        for start in range(0, len(keys), BATCH):
            part = keys[start : start + BATCH]
            vectors = self._embedder.embed([tokens.cut(texts[key], self._embedder.limit_tokens) for key in part])
            packed = {key: struct.pack(f"<{len(vector)}f", *vector) for key, vector in zip(part, vectors, strict=True)}
            self._shelf.put_vectors(self._embedder.name, len(vectors[0]), packed)
            self._made += len(packed)
            made |= packed
        return made

    def search(self, query: Query, limit: int) -> LexicalFound:
        """Return at most `limit` hits, best first. What only the vectors found carries no word that matched."""
        found = self._lexical.search(query, max(limit, POOL))
        try:
            cosines = self._near(query, self._embedder.embed([query.text], query=True)[0], max(limit, POOL))
        except (ModelError, StoreError) as error:
            log.warning("%s Searched by words alone.", error.message)
            return replace(found, hits=found.hits[:limit])
        hits = {hit.id: hit for hit in found.hits}
        order = fused([(hit.id, hit.score) for hit in found.hits], list(cosines.items()))
        return replace(found, hits=tuple(_hit(id, score, hits.get(id), cosines.get(id)) for id, score in order[:limit]))

    def _near(self, query: Query, vector: Sequence[float], wanted: int) -> dict[str, float]:
        """Return the nearest passages that meet the filters, the search widened where these leave few."""
        limit = wanted
        while True:
            near = self._vectors.nearest(vector, limit, query.sources)
            allowed = self._lexical.allowed(query, [id for id, _ in near])
            if len(allowed) >= wanted or len(near) < limit or limit >= WIDEST:
                return {id: score for id, score in near if id in allowed}
            limit *= 4

    def ids(self) -> Iterator[str]:
        """Yield every passage id in the lexical index, which the vectors follow."""
        yield from self._lexical.ids()

    def shut(self) -> None:
        """Release all of them, the embedder's connections too."""
        self._lexical.shut()
        self._vectors.shut()
        if isinstance(self._embedder, Closable):
            self._embedder.close()


def _wanted(entry: Entry) -> bool:
    return not entry.holding.retired and not entry.chunk.boilerplate


def _embedded(entry: Entry) -> str:
    return entry.context.above(entry.text)


def _hit(id: str, score: float, hit: Hit | None, cosine: float | None) -> Hit:
    vector = () if cosine is None else (("vector", cosine),)
    if hit is None:
        return Hit(id, score, 0.0, (*vector, ("fused", score)))
    return replace(hit, score=score, scores=(*hit.scores, *vector, ("fused", score)))
