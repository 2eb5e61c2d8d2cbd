"""The report of `verify` as GitHub-flavoured Markdown, fit for a pull request's comment or a job's summary.

In: the checks of an answer's notes. Out: Markdown: a line of figures, then a table, refused notes first.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.types import NoteCheck


def report(notes: Sequence[NoteCheck]) -> str:
    """Return the report. Cells hold one line each, and nothing in them is markup."""
    refused = [n for n in notes if not n.holds]
    if not notes:
        return "### Citations\n\n⚠️ There is no note to check: no footnote, link or quoted source.\n"
    head = "✅ All notes hold." if not refused else f"❌ {len(refused)} of {len(notes)} notes do not hold."
    rows = [*refused, *(n for n in notes if n.holds)]
    lines = [
        f"### Citations\n\n{head}\n",
        "| | note | line | sentence | quote | verdict | support | the source says |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for note in rows:
        verdict = note.finding + (f": {note.why}" if note.why else "")
        cells = (note.note, str(note.line or ""), note.sentence, note.quote, verdict, note.support, "" if note.holds else note.text or "")
        lines.append(f"| {'✅' if note.holds else '❌'} | " + " | ".join(_cell(c) for c in cells) + " |")
    return "\n".join(lines) + "\n"


def _cell(text: str) -> str:
    """Return a text as one table cell: one line, at most 160 characters, every mark escaped."""
    line = " ".join(text.split())
    line = line if len(line) <= 160 else line[:159] + "…"
    for mark in "\\`*_[]<>|~#@":
        line = line.replace(mark, "\\" + mark if mark != "@" else "@\u200b")
    return line.replace("http://", "http:\\//").replace("https://", "https:\\//")
