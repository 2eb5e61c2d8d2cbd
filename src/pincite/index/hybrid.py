"""Words and meaning together: the lexical index and vectors, mixed by weighted rank.

In: the store's change log, an embedder, questions. Out: hits as the lexical index gives them, and those that only the vectors found.
Filters are the lexical index's; words count more than vectors.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pincite.index.fusion import Ranking, fused
from pincite.index.lexical import LexicalFound, LexicalIndex
from pincite.index.vectors import VectorFile
from pincite.protocols import ChangeFeed, Embedder
from pincite.types import Entry, Hit, Query, digest

LEXICAL_WEIGHT = 2.0
VECTOR_WEIGHT = 1.0
BATCH = 64
POOL = 100
"""How many hits of each kind are mixed."""


class HybridIndex:
    """Implements the Index socket on a lexical index, a vector file and an embedder."""

    def __init__(self, lexical: LexicalIndex, vectors: VectorFile, embedder: Embedder, *, limit_chars: int = 2000) -> None:
        self._lexical = lexical
        self._vectors = vectors
        self._embedder = embedder
        self._limit_chars = limit_chars

    def catch_up(self, feed: ChangeFeed) -> int:
        """Replay the changes not yet seen in both; texts without a vector are embedded, batch by batch, so that a break loses one batch."""
        done = self._lexical.catch_up(feed)
        if self._vectors.seen() > feed.seq():
            self._vectors.forget()
        while changes := feed.changes_since(self._vectors.seen()):
            put: list[tuple[str, str]] = []
            drop: list[str] = []
            texts: dict[str, str] = {}
            for holding in dict.fromkeys(change.holding for change in changes if change.op != "mark"):
                entries = feed.entries(holding)
                live = [e for e in entries if not e.holding.retired and not e.chunk.boilerplate]
                drop += [e.id for e in entries]
                for entry in live:
                    text = self.embedded(entry)
                    name = digest(text)
                    texts[name] = text
                    put.append((entry.id, name))
            self._embed(texts)
            self._vectors.place(put, drop, changes[-1].seq)
        return done

    def embedded(self, entry: Entry) -> str:
        """Return the text that stands for a chunk: header, blank line, text, cut to what the embedder takes."""
        header = entry.context.header()
        return (f"{header}\n\n{entry.text}" if header else entry.text)[: self._limit_chars]

    def _embed(self, texts: dict[str, str]) -> None:
        known = self._vectors.known(texts)
        missing = [name for name in texts if name not in known]
        for start in range(0, len(missing), BATCH):
            part = missing[start : start + BATCH]
            self._vectors.keep(zip(part, self._embedder.embed([texts[name] for name in part]), strict=True))

    def search(self, query: Query, limit: int) -> LexicalFound:
        """Return at most `limit` hits, best first. What only the vectors found carries no word that matched."""
        found = self._lexical.search(query, max(limit, POOL))
        near = self._vectors.nearest(self._embedder.embed([query.text], query=True)[0], max(limit, POOL))
        allowed = self._lexical.allowed(query, [id for id, _ in near])
        near = [(id, score) for id, score in near if id in allowed]
        hits = {hit.id: hit for hit in found.hits}
        cosines = dict(near)
        order = fused(
            (
                Ranking("lexical", tuple(hits), LEXICAL_WEIGHT),
                Ranking("vector", tuple(cosines), VECTOR_WEIGHT),
            )
        )
        return replace(found, hits=tuple(self._hit(id, score, hits.get(id), cosines.get(id)) for id, score in order[:limit]))

    def _hit(self, id: str, score: float, hit: Hit | None, cosine: float | None) -> Hit:
        vector = () if cosine is None else (("vector", cosine),)
        if hit is None:
            return Hit(id, score, 0.0, (*vector, ("fused", score)))
        return replace(hit, score=score, scores=(*hit.scores, *vector, ("fused", score)))

    def ids(self) -> Iterator[str]:
        """Yield every passage id in the lexical index, which the vectors follow."""
        yield from self._lexical.ids()

    def shut(self) -> None:
        """Release both."""
        self._lexical.shut()
        self._vectors.shut()
