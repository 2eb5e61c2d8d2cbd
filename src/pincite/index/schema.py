"""What stands in the index: one document a chunk, one a page, one a section with several chunks, one for the sequence number seen.

In: the entries of a holding. Out: tantivy documents. Texts go in as terms of our own analyzer, joined by spaces.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import tantivy

from pincite.index import analyzer as analysis
from pincite.index.analyzer import Analyzer
from pincite.types import Entry, Holding

FORMAT = f"3.{analysis.VERSION}"
"""Names the layout; an index of another layout is built again."""
FOREVER_MS = 2**62
HEADING_TIMES = 2
"""How often the own heading and symbol count in a chunk's terms; the rest of the header counts once. See docs/decisions."""

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
    build.add_unsigned_field("code", fast=True)
    build.add_unsigned_field("open", indexed=True)
    build.add_unsigned_field("since", indexed=True, fast=True)
    build.add_unsigned_field("until", indexed=True, fast=True)
    build.add_text_field("text", tokenizer_name="terms", index_option="position")
    build.add_text_field("names", tokenizer_name="terms", index_option="basic")
    build.add_text_field("page", tokenizer_name="terms", index_option="freq")
    build.add_text_field("part", tokenizer_name="terms", index_option="freq")
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


def documents(entries: Sequence[Entry], analyzer: Analyzer) -> Iterator[tantivy.Document]:
    """Yield the documents of one holding; boilerplate is left out."""
    kept = [entry for entry in entries if not entry.chunk.boilerplate]
    if not kept:
        return
    bodies = [analyzer.terms(_LINK_TARGET.sub("]", entry.text) if entry.chunk.kind == "doc" else entry.text) for entry in kept]
    trails = _shared_trails(kept)
    parts: dict[int, list[str]] = {}
    whole: list[str] = analyzer.terms(f"{kept[0].context.document_title} {kept[0].holding.path}")
    for entry, body in zip(kept, bodies, strict=True):
        trail = _nearest(entry.chunk.heading, trails)
        section = number("\0".join((str(entry.holding.id), *trail))) if trail else 0
        if section:
            parts.setdefault(section, analyzer.terms(" ".join(trail))).extend(body)
        whole.extend(body)
        yield _chunk(entry, body, section, analyzer)
    first = kept[0]
    for section, terms in parts.items():
        yield _whole(first, "part", terms, section)
    if len(kept) > 1:
        yield _whole(first, "page", whole, 0)


def _shared_trails(entries: Sequence[Entry]) -> frozenset[tuple[str, ...]]:
    """Return the heading trails that hold several chunks, but not the whole page."""
    counts: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        counts.update(entry.chunk.heading[:depth] for depth in range(1, len(entry.chunk.heading) + 1))
    return frozenset(trail for trail, count in counts.items() if 1 < count < len(entries))


def _nearest(heading: tuple[str, ...], trails: frozenset[tuple[str, ...]]) -> tuple[str, ...]:
    return next((heading[:depth] for depth in range(len(heading), 0, -1) if heading[:depth] in trails), ())


def _chunk(entry: Entry, body: list[str], section: int, analyzer: Analyzer) -> tantivy.Document:
    document = _placed(entry, "chunk")
    document.add_text("id", entry.id)
    document.add_unsigned("uid", number(entry.id))
    document.add_unsigned("section", section)
    document.add_unsigned("code", int(entry.chunk.kind == "code"))
    own, rest = _header(entry, analyzer)
    document.add_text("text", " ".join([*(own * HEADING_TIMES), *rest, *body]))
    document.add_text("names", " ".join(dict.fromkeys(t[0] for t in map(analyzer.terms, entry.chunk.defines) if t)))
    return document


def _header(entry: Entry, analyzer: Analyzer) -> tuple[list[str], list[str]]:
    """Return the terms of the own heading and symbol, and those of trail, title, path and comment: each term once.

    Repeated, as headings, titles and paths repeat each other, they drowned the texts of small chunks.
    """
    context, trail = entry.context, entry.chunk.heading
    own = dict.fromkeys(analyzer.terms(" ".join((*trail[-1:], entry.chunk.symbol or ""))))
    about = f"{context.document_title} {context.path} {context.comment} {context.document_summary} {context.section_summary}"
    rest = dict.fromkeys(analyzer.terms(f"{' '.join(trail[:-1])} {about} {' '.join(context.terms)}"))
    return list(own), [term for term in rest if term not in own]


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
