"""Values as text for people: passages, coverage, lists.

In: values of `types`. Out: text, without colour and without line ends at the end.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.serve.schemas import INTERRUPTED, missing
from pincite.types import Capture, Citation, Coverage, Entry, Finding, NoteCheck, Passage, SearchResult, Source, timestamp
from pincite.urls import is_web

SNIPPET_CHARS = 300
COUNTED = ("sources", "pages", "chunks", "captures", "citations")
LISTED = 10
"""Failed pages that a report names before it only counts them."""

_BREAKS = re.compile(r"[\n\r\t]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def place(value: Passage) -> str:
    """Return where a reader finds a passage: the URL, or the path with its line."""
    if is_web(value.url):
        return value.url
    path = _BREAKS.sub(lambda m: f"%{ord(m.group()):02X}", value.path)
    return f"{path}:{value.line}" if value.line else path


def plain(text: str) -> str:
    """Return text without the control characters that would move a terminal's cursor or colour it; line ends and tabs stay."""
    return _CONTROLS.sub("\ufffd", text)


def snippet(text: str, limit: int = SNIPPET_CHARS) -> str:
    """Return the text's beginning, without its own heading, on at most four indented lines."""
    lines = [line.rstrip() for line in text.strip().splitlines() if line.strip()]
    lines = lines[1:] if len(lines) > 1 and lines[0].startswith("#") else lines
    cut = "\n".join(lines[:4])[:limit]
    more = " …" if len(cut) < len("\n".join(lines)) else ""
    return "\n".join("    " + line for line in (cut + more).splitlines())


def passages(result: SearchResult) -> str:
    """Return search results as a numbered list."""
    if not result.passages:
        unknown = f" The library does not know: {', '.join(result.unknown_terms)}." if result.unknown_terms else ""
        return f"Nothing found for {result.query!r}.{unknown}"
    parts = []
    for number, value in enumerate(result.passages, 1):
        heading = " › ".join(value.heading) or value.symbol or value.title or value.path
        version = f" {value.version}" if value.version else ""
        parts.append(
            f"{number}. {heading}\n   {place(value)}\n{snippet(value.text)}\n"
            f"   {value.ref} · {value.source}{version} · {timestamp(value.fetched_at)[:10]} · score {value.score:.2f}"
        )
    return "\n\n".join(parts)


def coverage(report: Coverage, *, listed: int = LISTED) -> str:
    """Return a coverage report as a small table; failed pages are named."""
    rows: list[tuple[str, int | str]] = [("wanted", report.wanted), ("fetched", report.fetched), ("unchanged", report.unchanged)]
    rows += [(f"skipped: {reason}", count) for reason, count in sorted(report.skipped.items())]
    rows += [(f"failed: {reason}", count) for reason, count in sorted(report.failed.items()) if reason != INTERRUPTED]
    if report.removed:
        rows.append(("gone from the source", report.removed))
    if missing(report):
        rows.append(("missing", missing(report)))
    rows += [("documents", report.documents), ("chunks", report.chunks), ("seconds", f"{report.seconds:.1f}")]
    width = max(len(name) for name, _ in rows)
    lines = [f"{report.source}" + ("" if report.finished else "  (interrupted: `add` it again to go on)")]
    lines += [f"  {name:<{width}}  {count:>8}" for name, count in rows]
    failed = sorted((page for page in report.pages if page.outcome == "failed"), key=lambda page: page.reason == INTERRUPTED)
    lines += [f"  missing  {p.url}" if p.reason == INTERRUPTED else f"  failed  {p.url}  ({p.reason})" for p in failed[:listed]]
    if len(failed) > listed:
        lines.append(f"  … and {len(failed) - listed} more: `pincite status {report.source}` names them")
    return "\n".join(lines)


def sources(held: Sequence[Source]) -> str:
    """Return sources as a table."""
    if not held:
        return "No sources yet. `pincite add URL|FOLDER|FILE` captures one."
    rows = [(s.slug, s.kind, s.version or "-", timestamp(s.added_at)[:10] if s.added_at else "-", s.location) for s in held]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return "\n".join("  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[4]]) for row in rows)


def size(count: int) -> str:
    """Return a number of bytes as people read it."""
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.1f} kB" if count >= 1000 else f"{count} bytes"


def counts(stats: Mapping[str, Any]) -> str:
    """Return what a library holds and its size on one line."""
    held = ", ".join(f"{stats[name]} {name}" for name in COUNTED if name in stats)
    size = f"{stats['file_bytes'] / 1e6:.1f} MB" if "file_bytes" in stats else ""
    return ", ".join(filter(None, (held, size)))


def status(store: str, stats: Mapping[str, Any], reports: Mapping[str, Coverage | None], *, whole: bool) -> str:
    """Return the state of the library and of its sources."""
    parts = [f"{store}\n  {counts(stats)}"]
    for slug, report in reports.items():
        parts.append(coverage(report, listed=10_000 if whole else LISTED) if report else f"{slug}\n  not captured yet")
    return "\n\n".join(parts)


def captured(value: Capture) -> str:
    """Return what was observed at a URL."""
    rows = [("url", value.url), ("source", value.source), ("snapshot", value.snapshot), ("captured", timestamp(value.fetched_at))]
    if value.checked_at:
        rows.append(("seen again", timestamp(value.checked_at)))
    if value.final_url != value.url:
        rows.insert(1, ("answered by", value.final_url))
    rows += [("media type", value.media_type), ("size", f"{value.size} bytes"), ("mark", value.mark)]
    if value.flags:
        rows.append(("flags", ", ".join(value.flags)))
    return "\n".join([value.ref, *(f"  {name:<11} {text}" for name, text in rows)])


def passage_entry(value: Entry, capture: Capture) -> str:
    """Return one passage with its place."""
    chunk, holding = value.chunk, value.holding
    where = f"{holding.path}:{chunk.line}" if chunk.line and not is_web(holding.url) else holding.url
    ended = f" to {timestamp(holding.valid_to)}" if holding.valid_to else ""
    head = f"{value.id}\n{' › '.join(chunk.heading) or value.document_title}\n{where}"
    held = f"captured {timestamp(capture.fetched_at)} · held from {timestamp(holding.valid_from)}{ended}"
    return f"{head}\n{holding.ref} · {held}\n\n{value.text}"


def citation(value: Citation) -> str:
    """Return one citation: the quote, its place, its snapshot and how it was verified."""
    heading = " › ".join(value.heading)
    paragraph = f", ¶ {value.paragraph}" if value.paragraph else ""
    check = value.verification
    lines = (
        value.id,
        "> " + value.visible.replace("\n", "\n> "),
        "",
        f"{value.title} — {value.deep_link or value.capture.url}",
        f"§ {heading}{paragraph}",
        f"snapshot {timestamp(value.capture.fetched_at)} · {value.capture.ref} · {value.capture.snapshot}",
        f"quote {check.status} ({check.verdict}) · support {check.support}",
        *([f"note {value.remark}"] if value.remark else []),
        *([f"flags {', '.join(value.flags)}"] if value.flags else []),
        f"quality {value.quality:.2f} ({', '.join(f'{name} {part:.2f}' for name, part in value.quality_parts)})",
    )
    return "\n".join(lines)


def findings(found: Sequence[Finding]) -> str:
    """Return what a check of the library found."""
    if not found:
        return "Verified: every snapshot, span and citation holds, and the index agrees with the store."
    return "\n".join(f"{f.kind}  {f.subject}  {f.detail}" for f in found)


def notes(checked: Sequence[NoteCheck]) -> str:
    """Return what became of an answer's notes, a line each, and of those that don't hold the nearest words."""
    if not checked:
        return "There is no note to check: no footnote, link or quoted source."
    lines = []
    for note in checked:
        why = f" ({note.why})" if note.why else ""
        lines.append(f"{'holds  ' if note.holds else 'REFUSED'}  [^{note.note}]  {note.finding}{why}  {note.quote[:80]}")
        if not note.holds and note.text:
            lines.append(f"         the source says: {note.text[:200]}")
    refused = sum(not note.holds for note in checked)
    return "\n".join([*lines, f"{len(checked) - refused} of {len(checked)} notes hold."])
