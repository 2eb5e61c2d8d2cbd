"""What stands in the index: one document a chunk, one a section of prose or a stretch of program text, one a page, one for the number seen.

In: the entries of a holding. Out: tantivy documents. Texts go in as terms of our own analyzer, joined by spaces.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import tantivy

from pincite.index import analyzer as analysis
from pincite.index.analyzer import Analyzer
from pincite.tokens import estimate
from pincite.types import Entry, Holding

FORMAT = f"8.{analysis.VERSION}"
"""Names the layout; an index of another layout is built again."""
FOREVER_MS = 2**62
HEADING_TIMES = 2
"""How often the own heading and symbol count in a chunk's terms; the rest of the header counts once. See docs/decisions."""

NEWS = re.compile(
    r"(?:^|[/_.-])(?:change(?:s|logs?)?|release(?:s|[-_]?notes?)?|what'?s[-_]?new|history|news|migrations?)(?:[/_.\d-]|$)", re.I
)
"""Paths of change logs and release notes."""

_LINK_TARGET = re.compile(r"\]\((?:[^()\s<>]|\([^()\s]*\)|<[^>\n]*>)*(?:\s+\"[^\"\n]*\")?\)")


def schema() -> tantivy.Schema:
    """Return the fields: exact ones, numbers for filters, and texts cut at white space."""
    build = tantivy.SchemaBuilder()
    build.add_text_field("id", stored=True, tokenizer_name="raw", index_option="basic")
    for name in ("what", "kind", "source", "version", "lang", "ref"):
        build.add_text_field(name, tokenizer_name="raw" if name != "lang" else "terms", index_option="basic")
    build.add_unsigned_field("uid", indexed=True, fast=True)
    build.add_unsigned_field("holding", indexed=True, fast=True)
    build.add_unsigned_field("section", indexed=True, fast=True)
    for name in ("code", "chunks", "news", "place", "before", "tokens"):
        build.add_unsigned_field(name, fast=True)
    build.add_unsigned_field("open", indexed=True)
    build.add_unsigned_field("since", indexed=True, fast=True)
    build.add_unsigned_field("until", indexed=True, fast=True)
    build.add_text_field("text", tokenizer_name="terms", index_option="position")
    build.add_text_field("names", tokenizer_name="terms", index_option="basic")
    build.add_text_field("part", tokenizer_name="terms", index_option="position")
    for name in ("page", "stretch", "like", "partlike"):
        build.add_text_field(name, tokenizer_name="terms", index_option="freq")
    build.add_unsigned_field("seen", stored=True)
    build.add_text_field("format", stored=True, tokenizer_name="raw", index_option="basic")
    return build.build()


def register(index: tantivy.Index) -> None:
    """Give the index the tokenizer that its texts were written for."""
    index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())


def number(id: str) -> int:
    """Return the 63-bit number under which a passage is known to the index."""
    return int.from_bytes(hashlib.blake2b(id.encode(), digest_size=8).digest(), "big") >> 1


def seen_document(seq: int) -> tantivy.Document:
    """Return the document that carries the sequence number, committed together with what it speaks of."""
    document = tantivy.Document()
    document.add_text("what", "seen")
    document.add_unsigned("seen", seq)
    document.add_text("format", FORMAT)
    return document


Documents = Iterator[tuple[Literal["chunks", "parts", "pages", "program"], tantivy.Document]]
"""Documents, each with the index that it goes to."""


def documents(entries: Sequence[Entry], analyzer: Analyzer) -> Documents:
    """Yield the documents of one holding; boilerplate is left out."""
    kept = [entry for entry in entries if not entry.chunk.boilerplate]
    if not kept:
        return
    yield from (_program if kept[0].chunk.kind == "code" else _prose)(kept, analyzer)


@dataclass(slots=True)
class _Part:
    """A section of prose while its chunks are read: the terms of its headings, of the rest of its header, of its text."""

    key: int
    first: Entry
    own: dict[str, None] = field(default_factory=dict)
    rest: dict[str, None] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)
    likes: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    chunks: int = 0

    def texts(self, analyzer: Analyzer) -> tuple[str, str]:
        """Return its terms, and the groups of their synonyms."""
        rest = [term for term in self.rest if term not in self.own]
        header = [*(list(self.own) * HEADING_TIMES), *rest]
        return " ".join([*header, *self.body]), " ".join([*analyzer.likes(header), *self.likes])


def _prose(kept: Sequence[Entry], analyzer: Analyzer) -> Documents:
    """Yield chunks, sections and the page. A section with one chunk stands for it; chunks of larger ones compete within them."""
    parts: dict[int, _Part] = {}
    counts = Counter(_section(entry) for entry in kept)
    whole: list[str] = analyzer.terms(f"{kept[0].context.document_title} {kept[0].holding.path}")
    before, headers = 0, _Headers(analyzer)
    for place, entry in enumerate(kept):
        body, alike = analyzer.both(_LINK_TARGET.sub("]", entry.text) if "](" in entry.text else entry.text)
        part = parts.setdefault(_section(entry), _Part(number(f"{entry.holding.id}\0{_section(entry)}"), entry))
        own, rest = headers.of(entry)
        names = _names(entry, analyzer)
        document = _chunk(entry, own, rest, body, part.key, names)
        tokens = estimate(entry.text)
        if counts[_section(entry)] > 1:
            for name, value in (("place", place), ("before", before), ("tokens", tokens)):
                document.add_unsigned(name, value)
        document.add_text("like", " ".join([*analyzer.likes(own), *alike]))
        yield "chunks", document
        before += tokens
        part.own |= dict.fromkeys(own)
        part.rest |= dict.fromkeys(rest)
        part.body += body
        part.likes += alike
        part.names += names
        part.chunks += 1
        whole += body
    for part in parts.values():
        yield "parts", _section_document(part, analyzer)
    yield "pages", _whole(kept[0], "page", whole, 0)


def _section(entry: Entry) -> int:
    return entry.chunk.section if entry.chunk.part is None else entry.chunk.part


def _section_document(part: _Part, analyzer: Analyzer) -> tantivy.Document:
    terms, likes = part.texts(analyzer)
    document = _placed(part.first, "part")
    document.add_text("id", part.first.id)
    document.add_unsigned("uid", number(part.first.id))
    document.add_unsigned("section", part.key)
    document.add_unsigned("chunks", part.chunks)
    document.add_unsigned("news", int(NEWS.search(part.first.holding.path) is not None))
    document.add_text("part", terms)
    document.add_text("partlike", likes)
    document.add_text("names", " ".join(dict.fromkeys(part.names)))
    return document


def _program(kept: Sequence[Entry], analyzer: Analyzer) -> Documents:
    """Yield chunks, stretches with several of them, and the page."""
    trails, headers = _shared_trails(kept), _Headers(analyzer)
    parts: dict[int, list[str]] = {}
    whole: list[str] = analyzer.terms(f"{kept[0].context.document_title} {kept[0].holding.path}")
    for entry in kept:
        body = analyzer.terms(entry.text)
        trail = _nearest(entry.chunk.heading, trails)
        section = number("\0".join((str(entry.holding.id), *trail))) if trail else 0
        if section:
            parts.setdefault(section, analyzer.terms(" ".join(trail))).extend(body)
        whole.extend(body)
        yield "program", _chunk(entry, *headers.of(entry), body, section, _names(entry, analyzer))
    for section, terms in parts.items():
        yield "program", _whole(kept[0], "stretch", terms, section)
    if len(kept) > 1:
        yield "program", _whole(kept[0], "page", whole, 0)


def _shared_trails(entries: Sequence[Entry]) -> frozenset[tuple[str, ...]]:
    """Return the heading trails that hold several chunks, but not the whole page."""
    counts: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        counts.update(entry.chunk.heading[:depth] for depth in range(1, len(entry.chunk.heading) + 1))
    return frozenset(trail for trail, count in counts.items() if 1 < count < len(entries))


def _nearest(heading: tuple[str, ...], trails: frozenset[tuple[str, ...]]) -> tuple[str, ...]:
    return next((heading[:depth] for depth in range(len(heading), 0, -1) if heading[:depth] in trails), ())


def _chunk(
    entry: Entry, own: Sequence[str], rest: Sequence[str], body: Sequence[str], section: int, names: Sequence[str]
) -> tantivy.Document:
    document = _placed(entry, "chunk")
    document.add_text("id", entry.id)
    document.add_unsigned("uid", number(entry.id))
    document.add_unsigned("section", section)
    document.add_unsigned("code", int(entry.chunk.kind == "code"))
    document.add_text("text", " ".join([*(list(own) * HEADING_TIMES), *rest, *body]))
    document.add_text("names", " ".join(names))
    return document


def _names(entry: Entry, analyzer: Analyzer) -> list[str]:
    return list(dict.fromkeys(t[0] for t in map(analyzer.terms, entry.chunk.defines) if t))


class _Headers:
    """Analyses what stands above the chunks of a page; titles, paths and trails repeat, and are read once."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._analyzer = analyzer
        self._read: dict[str, list[str]] = {}

    def of(self, entry: Entry) -> tuple[list[str], list[str]]:
        """Return the terms of the own heading and symbol, and those of trail, title, path and comment: each term once.

        Repeated, as headings, titles and paths repeat each other, they drowned the texts of small chunks.
        """
        context, trail = entry.context, entry.chunk.heading
        own = dict.fromkeys(self._terms(" ".join((*trail[-1:], entry.chunk.symbol or ""))))
        above = (*trail[:-1], f"{context.document_title} {context.path} {context.document_summary}")
        rest = dict.fromkeys(term for text in above for term in self._terms(text))
        if context.comment or context.section_summary or context.terms:
            more = f"{context.comment} {context.section_summary} {' '.join(context.terms)}"
            rest |= dict.fromkeys(self._analyzer.terms(more))
        return list(own), [term for term in rest if term not in own]

    def _terms(self, text: str) -> list[str]:
        found = self._read.get(text)
        if found is None:
            found = self._read[text] = self._analyzer.terms(text)
        return found


def _whole(entry: Entry, what: str, terms: list[str], section: int) -> tantivy.Document:
    document = _placed(entry, what)
    document.add_unsigned("section", section)
    document.add_text(what, " ".join(terms))
    return document


def _placed(entry: Entry, what: str) -> tantivy.Document:
    holding = entry.holding
    document = tantivy.Document()
    document.add_text("what", what)
    document.add_text("kind", entry.chunk.kind)
    document.add_text("source", holding.source)
    document.add_text("version", entry.source_version)
    document.add_text("lang", " ".join(dict.fromkeys((entry.lang.lower(), entry.lang.lower().split("-")[0]))))
    document.add_text("ref", holding.ref)
    document.add_unsigned("holding", holding.id)
    document.add_unsigned("open", int(holding.valid_to is None))
    document.add_unsigned("since", _ms(holding, closed=False))
    document.add_unsigned("until", _ms(holding, closed=True))
    return document


def _ms(holding: Holding, *, closed: bool) -> int:
    if not closed:
        return max(0, round(holding.valid_from.timestamp() * 1000))
    return FOREVER_MS if holding.valid_to is None else max(0, round(holding.valid_to.timestamp() * 1000))
