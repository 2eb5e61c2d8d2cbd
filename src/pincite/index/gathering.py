"""Gathers entries of the store into a segment of the index.

In: the entries of holdings, boilerplate among them. Out: a segment: prose by chunk, section and page, program text by chunk, stretch
and page.
"""

from __future__ import annotations

import re
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import count

import numpy as np

from pincite.index import analyzer as analysis
from pincite.index.analyzer import Analyzer, runs
from pincite.index.segment import (
    FOREVER_MS,
    NONE,
    Array,
    Holdings,
    Ragged,
    Rows,
    Segment,
    Shelf,
    Wholes,
    group,
    hashed,
    holders,
    inverted,
    ragged,
)
from pincite.tokens import estimate
from pincite.types import Entry, Holding

FORMAT = f"10.{analysis.VERSION}"
"""Names the layout; an index of another layout is built again."""
HEADING_TIMES = 2
"""How often the own heading and symbol count in a chunk's terms; the rest of the header counts once. See docs/decisions."""

NEWS = re.compile(
    r"(?:^|[/_.-])(?:change(?:s|logs?)?|release(?:s|[-_]?notes?)?|what'?s[-_]?new|history|news|migrations?)(?:[/_.\d-]|$)", re.I
)
"""Paths of change logs and release notes."""

_LINK_TARGET = re.compile(r"\]\((?:[^()\s<>]|\([^()\s]*\)|<[^>\n]*>)*(?:\s+\"[^\"\n]*\")?\)")


class Codes:
    """Numbers terms in the order in which they come, and remembers those of whole runs."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._read = analyzer.read
        self.known: defaultdict[str, int] = defaultdict(count().__next__)
        self._runs: dict[str, tuple[list[int], list[int]]] = {}

    def of(self, terms: Iterable[str]) -> list[int]:
        """Return the numbers of terms."""
        return list(map(self.known.__getitem__, terms))

    def both(self, text: str) -> tuple[list[int], list[int]]:
        """Return the numbers of all terms of a text, and of the groups of synonyms that they belong to."""
        terms: list[int] = []
        likes: list[int] = []
        seen = self._runs
        for run in runs(text):
            found = seen.get(run)
            if found is None:
                words, alike = self._read(run)
                found = seen[run] = self.of(words), self.of(map(group, alike)) if alike else []
            terms += found[0]
            if found[1]:
                likes += found[1]
        return terms, likes


@dataclass(slots=True)
class _Lists:
    """Lists of codes, one after the other."""

    values: array[int] = field(default_factory=lambda: array("I"))
    sizes: list[int] = field(default_factory=list)

    def add(self, *lists: Sequence[int]) -> None:
        before = len(self.values)
        for some in lists:
            self.values.extend(some)
        self.sizes.append(len(self.values) - before)

    def codes(self) -> Array:
        return np.frombuffer(self.values, np.uint32) if self.values else np.zeros(0, np.uint32)

    def renumbered(self, rank: Array) -> Ragged:
        return ragged(self.sizes, rank[self.codes()])


@dataclass(slots=True)
class _Chunk:
    """What is known of a chunk before the sections are laid side by side."""

    id: str
    text: tuple[Sequence[int], ...]
    likes: Sequence[int]
    names: Sequence[int]
    before: int
    tokens: int


@dataclass(slots=True)
class _Whole:
    """A section of prose, or a stretch of program text, while its chunks are read."""

    key: int
    headers: list[_Header] = field(default_factory=list)
    chunks: list[_Chunk] = field(default_factory=list)
    bodies: list[Sequence[int]] = field(default_factory=list)
    likes: list[Sequence[int]] = field(default_factory=list)


@dataclass(slots=True)
class _Shelf:
    """Columns of prose, or of program text."""

    chunks: list[_Chunk] = field(default_factory=list)
    holding: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    whole_holding: list[int] = field(default_factory=list)
    key: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    last: list[int] = field(default_factory=list)
    news: list[bool] = field(default_factory=list)
    texts: _Lists = field(default_factory=_Lists)
    likes: _Lists = field(default_factory=_Lists)
    names: _Lists = field(default_factory=_Lists)
    pages: _Lists = field(default_factory=_Lists)
    rows: _Lists = field(default_factory=_Lists)
    row_likes: _Lists = field(default_factory=_Lists)
    row_names: _Lists = field(default_factory=_Lists)

    def put(self, holding: int, chunks: Sequence[_Chunk], whole: int | None) -> None:
        self.chunks += chunks
        for chunk in chunks:
            self.rows.add(*chunk.text)
            self.row_likes.add(chunk.likes)
            self.row_names.add(chunk.names)
        self.holding += [holding] * len(chunks)
        self.whole += [int(NONE) if whole is None else whole] * len(chunks)

    def open(self, holding: int, key: int, chunks: Sequence[_Chunk], *, news: bool) -> None:
        """Begin a section or stretch that holds these chunks."""
        self.first.append(len(self.chunks))
        self.put(holding, chunks, len(self.key))
        self.last.append(len(self.chunks))
        self.whole_holding.append(holding)
        self.key.append(key)
        self.news.append(news)

    def lists(self) -> tuple[_Lists, ...]:
        """Return all that holds terms."""
        return self.rows, self.row_likes, self.row_names, self.texts, self.likes, self.names, self.pages

    def finished(self, rank: Array, count: int, *, rows_are_sought: bool) -> Shelf:
        ids = [chunk.id.encode() for chunk in self.chunks]
        texts, liked = self.rows.renumbered(rank), self.row_likes.renumbered(rank)
        before, tokens = (np.array([getattr(c, name) for c in self.chunks], np.uint32) for name in ("before", "tokens"))
        rows = Rows(
            np.array(self.holding, np.uint32),
            np.array(self.whole, np.uint32),
            ragged([len(id) for id in ids], np.frombuffer(b"".join(ids), np.uint8), np.uint8),
            np.array([hashed(chunk.id) for chunk in self.chunks], np.uint64),
            texts,
            liked,
            self.row_names.renumbered(rank),
            before,
            tokens,
            holders(texts, count),
            holders(liked, count),
        )
        none = ragged([0] * len(self.chunks), ())
        wholes = Wholes(
            np.array(self.whole_holding, np.uint32),
            np.array(self.key, np.uint64),
            np.array(self.first, np.uint32),
            np.array(self.last, np.uint32),
            np.array(self.news, np.uint8),
            *(inverted(lists.renumbered(rank), count) for lists in (self.texts, self.likes, self.names)),
        )
        text_sought, names_sought = (rows.text, rows.names) if rows_are_sought else (none, none)
        return Shelf(
            rows, inverted(text_sought, count), inverted(names_sought, count), wholes, inverted(self.pages.renumbered(rank), count)
        )


class Gathering:
    """Gathers one segment. The numbers of terms may be those of the segment before: what was read is not read again."""

    def __init__(self, analyzer: Analyzer, codes: Codes) -> None:
        self._analyzer = analyzer
        self._codes = codes
        self._held: list[Entry] = []
        self._prose, self._program = _Shelf(), _Shelf()

    def add(self, entries: Sequence[Entry]) -> None:
        """Add a holding; boilerplate is left out, and a holding that is nothing else."""
        kept = [entry for entry in entries if not entry.chunk.boilerplate]
        if not kept:
            return
        number = len(self._held)
        self._held.append(kept[0])
        if kept[0].chunk.kind == "code":
            self._add_program(kept, number)
            self._prose.pages.add()
        else:
            self._add_prose(kept, number)
            self._program.pages.add()

    def __bool__(self) -> bool:
        return bool(self._held)

    def segment(self) -> Segment:
        """Return all that was added."""
        used = np.zeros(len(self._codes.known), bool)
        for shelf in (self._prose, self._program):
            for lists in shelf.lists():
                used[lists.codes()] = True
        known = list(self._codes.known)
        terms = [known[code] for code in np.flatnonzero(used).tolist()]
        hashes = np.array([hashed(term) for term in terms], np.uint64)
        order = np.argsort(hashes)
        rank = np.zeros(len(known), np.uint32)
        rank[np.flatnonzero(used)[order]] = np.arange(len(terms), dtype=np.uint32)
        words = "".join(f"\n{terms[i]}" for i in order.tolist()).encode("utf-8", "surrogatepass")
        return Segment(
            hashes[order],
            np.frombuffer(words, np.uint8),
            _holdings(self._held),
            self._prose.finished(rank, len(terms), rows_are_sought=False),
            self._program.finished(rank, len(terms), rows_are_sought=True),
        )

    def _add_prose(self, kept: Sequence[Entry], number: int) -> None:
        """Add chunks, sections and the page. A section with one chunk stands for it; chunks of larger ones compete within them."""
        first, codes, headers = kept[0], self._codes, _Headers(self._analyzer, self._codes)
        page: list[Sequence[int]] = [codes.both(f"{first.context.document_title} {first.holding.path}")[0]]
        parts: dict[int, _Whole] = {}
        before = 0
        for entry in kept:
            body, groups = codes.both(_LINK_TARGET.sub("]", entry.text) if "](" in entry.text else entry.text)
            tokens, header = estimate(entry.text), headers.of(entry)
            part = parts.setdefault(_section(entry), _Whole(hashed(f"{entry.holding.id}\0{_section(entry)}")))
            part.headers.append(header)
            part.bodies.append(body)
            part.likes.append(groups)
            page.append(body)
            likes = [*header.likes, *groups]
            part.chunks.append(_Chunk(entry.id, (header.codes, body), likes, self._names(entry), before, tokens))
            before += tokens
        news = NEWS.search(first.holding.path) is not None
        for part in parts.values():
            header = headers.joined(part.headers)
            self._prose.open(number, part.key, part.chunks, news=news)
            self._prose.texts.add(header.codes, *part.bodies)
            self._prose.likes.add(header.every, *part.likes)
            self._prose.names.add(*dict.fromkeys(tuple(chunk.names) for chunk in part.chunks))
        self._prose.pages.add(*page)

    def _add_program(self, kept: Sequence[Entry], number: int) -> None:
        """Add chunks, stretches with several of them, and the page."""
        first, codes, headers, trails = kept[0], self._codes, _Headers(self._analyzer, self._codes), _shared_trails(kept)
        page: list[Sequence[int]] = [codes.both(f"{first.context.document_title} {first.holding.path}")[0]]
        stretches: dict[tuple[str, ...], _Whole] = {}
        for entry in kept:
            body, _ = codes.both(entry.text)
            trail = _nearest(entry.chunk.heading, trails)
            stretch = stretches.setdefault(trail, _Whole(hashed("\0".join((str(entry.holding.id), *trail)))))
            stretch.chunks.append(_Chunk(entry.id, (headers.of(entry).codes, body), (), self._names(entry), 0, 0))
            stretch.bodies.append(body)
            page.append(body)
        self._program.put(number, stretches.pop((), _Whole(0)).chunks, None)
        for trail, stretch in stretches.items():
            self._program.open(number, stretch.key, stretch.chunks, news=False)
            self._program.texts.add(codes.of(self._analyzer.terms(" ".join(trail))), *stretch.bodies)
            self._program.likes.add()
            self._program.names.add()
        self._program.pages.add(*page if len(kept) > 1 else ())

    def _names(self, entry: Entry) -> list[int]:
        defines = entry.chunk.defines
        return self._codes.of(dict.fromkeys(t[0] for t in map(self._analyzer.terms, defines) if t)) if defines else []


def _section(entry: Entry) -> int:
    return entry.chunk.section if entry.chunk.part is None else entry.chunk.part


def _shared_trails(entries: Sequence[Entry]) -> frozenset[tuple[str, ...]]:
    """Return the heading trails that hold several chunks, but not the whole page."""
    counts: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        counts.update(entry.chunk.heading[:depth] for depth in range(1, len(entry.chunk.heading) + 1))
    return frozenset(trail for trail, count in counts.items() if 1 < count < len(entries))


def _nearest(heading: tuple[str, ...], trails: frozenset[tuple[str, ...]]) -> tuple[str, ...]:
    return next((heading[:depth] for depth in range(len(heading), 0, -1) if heading[:depth] in trails), ())


@dataclass(frozen=True, slots=True)
class _Header:
    """What stands above a chunk: the terms of its own heading and symbol, and of the rest; all as they count, and what they are like."""

    own: tuple[str, ...]
    rest: tuple[str, ...]
    codes: Sequence[int]
    likes: Sequence[int]
    """Of the own heading and symbol alone."""
    every: Sequence[int]
    """Of all of them."""


class _Headers:
    """Analyses what stands above the chunks of a page; titles, paths and trails repeat, and are read once."""

    def __init__(self, analyzer: Analyzer, codes: Codes) -> None:
        self._analyzer = analyzer
        self._codes = codes
        self._read: dict[str, list[str]] = {}
        self._made: dict[tuple[object, ...], _Header] = {}

    def of(self, entry: Entry) -> _Header:
        """Return the terms of the own heading and symbol, and those of trail, title, path and comment: each term once.

        Repeated, as headings, titles and paths repeat each other, they drowned the texts of small chunks.
        """
        context, trail = entry.context, entry.chunk.heading
        more = f"{context.comment} {context.section_summary} {' '.join(context.terms)}"
        above = (*trail[:-1], f"{context.document_title} {context.path} {context.document_summary}")
        key = (trail, entry.chunk.symbol, above[-1], more)
        if key not in self._made:
            own = dict.fromkeys(self._terms(" ".join((*trail[-1:], entry.chunk.symbol or ""))))
            rest = dict.fromkeys(term for text in (*above, more) for term in self._terms(text))
            self._made[key] = self.made(own, rest)
        return self._made[key]

    def made(self, own: Iterable[str], rest: Iterable[str]) -> _Header:
        """Return a header of these terms."""
        first = dict.fromkeys(own)
        others = tuple(term for term in rest if term not in first)
        likes, more = (self._codes.of(map(group, self._analyzer.likes(some))) for some in (tuple(first), others))
        codes = [*(self._codes.of(first) * HEADING_TIMES), *self._codes.of(others)]
        return _Header(tuple(first), others, codes, likes, [*(likes * HEADING_TIMES), *more])

    def joined(self, headers: Sequence[_Header]) -> _Header:
        """Return the header of a section whose chunks have these."""
        distinct = list({id(header): header for header in headers}.values())
        if len(distinct) == 1:
            return distinct[0]
        own = dict.fromkeys(term for header in distinct for term in header.own)
        rest = dict.fromkeys(term for header in distinct for term in header.rest)
        return self.made(own, rest)

    def _terms(self, text: str) -> list[str]:
        found = self._read.get(text)
        if found is None:
            found = self._read[text] = self._analyzer.terms(text)
        return found


def _holdings(firsts: Sequence[Entry]) -> Holdings:
    langs = [entry.lang.lower() for entry in firsts]
    names = (
        [entry.chunk.kind for entry in firsts],
        [entry.holding.source for entry in firsts],
        [entry.source_version for entry in firsts],
        langs,
        [lang.split("-")[0] for lang in langs],
        [entry.holding.ref for entry in firsts],
    )
    times = ([_ms(entry.holding, closed=closed) for entry in firsts] for closed in (False, True))
    return Holdings(
        np.array([entry.holding.id for entry in firsts], np.int64),
        *(np.array([hashed(name) for name in column], np.uint64) for column in names),
        *(np.array(column, np.int64) for column in times),
    )


def _ms(holding: Holding, *, closed: bool) -> int:
    if not closed:
        return max(0, round(holding.valid_from.timestamp() * 1000))
    return FOREVER_MS if holding.valid_to is None else max(0, round(holding.valid_to.timestamp() * 1000))
