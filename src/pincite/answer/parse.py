"""A model's text -> claims, whole or as it streams; whatever it is, it parses to claims or to none.

In: text in JSON or in QUOTE/CLAIM lines, perhaps in fences, perhaps cut off. Out: `Claim`s whose quotes name the passages that the model
meant. Nothing here is believed: `cite` checks every quote.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from pincite.sentences import sentences
from pincite.types import Claim, DraftQuote

MAX_CLAIMS: Final = 40
MAX_QUOTES: Final = 8
MAX_CHARS: Final = 4000
MAX_DEPTH: Final = 16
MAX_PROSE: Final = 5
"""Sentences of prose that are named as dropped."""
_LINE = re.compile(r"^\s*(?:[-*]\s*|\d+[.)]\s*)?\**(QUOTE|CLAIM)\**\s*\[?\s*([A-Za-z]?\d+)?\s*\]?\s*\**\s*[:：]\s*\**\s*(.*)$", re.I)
_MARKS = re.compile(r"\s*(?:\[\^[^\]\s]{1,80}\]|\[[\w-]{1,12}\](?!\()|【[^】\n]{1,80}】|\((?:passage\s+)?p\d{1,2}(?:\s*,\s*p\d{1,2})*\))")
_RAISED = re.compile(r"(?<=[.!?。])[¹²³⁰⁴-⁹]+")
_INDEX = re.compile(r"\w+\[[\w-]{1,12}\]")
_BLOCK_MARKS = re.compile(r"^(?:(?:[#>]+|[-*+])\s+|[`~]{3,}\s*)+")
_NUMBERED = re.compile(r"^(\d{1,2})[.)]\s+(?=\D)")
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_NOTHING = re.compile(r"\W*(?:none|null|n/a)?\W*", re.I)
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a pair of surrogates: no character, and not to be written anywhere."""
_THOUGHTS: Final = ("think", "thinking", "reasoning", "thought")
_THINKS = re.compile(rf"<({'|'.join(_THOUGHTS)})>", re.I)
_CLAIMS = re.compile(r"\{\s{0,20}\"claims\"\s{0,20}:")
_SPARE_COMMA = re.compile(r",\s*([}\]])")


class ClaimStream:
    """Collects pieces of a model's text and gives each claim as soon as it is whole."""

    def __init__(self, labels: Mapping[str, str]) -> None:
        self._labels = labels
        self._text = ""
        self._at = 0
        self._count = 0
        self._quotes: list[DraftQuote] = []
        self._open: list[int] = []
        self._quoted = False
        self._escaped = False
        self._framed = False
        self._seen = 0
        self._thought: str | None = None

    def feed(self, piece: str) -> Iterator[Claim]:
        """Take a piece and yield the claims that it completes."""
        self._text += piece
        if not self._thinks():
            yield from self._limited(self._json() if self._is_json() else self._marked(final=False))

    def end(self) -> Iterator[Claim]:
        """Yield what the end of the text completes."""
        if self._thinks():
            return
        yield from self._limited(self._json() if self._is_json() else self._marked(final=True))
        if self._count == 0 and not self._framed and self._text.lstrip("` \njson")[:1] not in ("{", "["):
            yield from self._limited(self._prose())

    def _thinks(self) -> bool:
        """Say whether all that came so far is what a model thinks aloud; once that is over, take it away."""
        if self._thought is None:
            head = self._text[:40].lstrip()
            opened = _THINKS.match(head)
            if not opened:
                return bool(head) and len(head) < 12 and any(f"<{word}>".startswith(head) for word in _THOUGHTS)
            self._thought = f"</{opened.group(1)}>"
        if not self._thought:
            return False
        end = self._text.find(self._thought, self._seen)
        if end < 0:
            self._seen = max(0, len(self._text) - len(self._thought))
            return True
        self._text, self._seen, self._thought = self._text[end + len(self._thought) :], 0, ""
        return False

    def _prose(self) -> Iterator[Claim]:
        """Yield the sentences of a text in no form that was asked for: without quotes, so each is dropped by name and asked for again."""
        said = plain(self._text)
        if not _NOTHING.fullmatch(said):
            for cut in sentences(said)[:MAX_PROSE]:
                yield Claim(cut.of(said)[:300], ())

    def _limited(self, claims: Iterator[Claim]) -> Iterator[Claim]:
        for claim in claims:
            if self._count >= MAX_CLAIMS:
                return
            self._count += 1
            yield claim

    def _is_json(self) -> bool:
        """Say whether the text is JSON, also behind words before it; known for good once the claims begin."""
        if not self._framed and self._count == 0:
            if found := _CLAIMS.search(self._text, self._seen):
                self._framed, self._at, self._open, self._quoted, self._escaped = True, found.start(), [], False, False
                self._quotes = []
            self._seen = max(self._seen, len(self._text) - 40)
        head = self._text[:400].lstrip()
        return self._framed or head[:1] in ("{", "[") or head.startswith("```") or '"claims"' in head

    def _json(self) -> Iterator[Claim]:
        """Yield each whole object that is a claim, at whatever depth, as soon as its brace closes; linear in the text."""
        text = self._text
        while self._at < len(text):
            char, at = text[self._at], self._at
            self._at += 1
            if self._escaped:
                self._escaped = False
            elif self._quoted:
                self._escaped = char == "\\"
                self._quoted = char != '"'
            elif char == '"':
                self._quoted = bool(self._open)
            elif char == "{":
                self._open.append(at)
                del self._open[:-MAX_DEPTH]
            elif char == "}" and self._open:
                claim = self._claim(_loaded(text[self._open.pop() : at + 1]))
                if claim is not None:
                    yield claim

    def _claim(self, item: Any) -> Claim | None:
        if not isinstance(item, dict) or not isinstance(item.get("text"), str) or not item["text"].strip():
            return None
        given = item.get("quotes", item.get("quote"))
        made = []
        for quote in (given if isinstance(given, list) else [given])[:MAX_QUOTES]:
            if isinstance(quote, dict) and isinstance(quote.get("quote"), str):
                made.append(self._quote(str(quote.get("passage", "")), quote["quote"]))
            elif isinstance(quote, str):
                made.append(self._quote(str(item.get("passage", "")), quote))
        if len(item["text"]) > MAX_CHARS:
            return Claim(plain(item["text"][:200]) + "…", ())
        return Claim(plain(item["text"], [q.text for q in made]), tuple(q for q in made if q.text.strip()))

    def _quote(self, label: str, text: str) -> DraftQuote:
        return DraftQuote(_HALF.sub("", text).strip()[:MAX_CHARS], self._labels.get(label.strip().strip("[]").lower()))

    def _marked(self, *, final: bool) -> Iterator[Claim]:
        """Yield a claim for each CLAIM line, with the QUOTE lines above it."""
        while True:
            end = self._text.find("\n", self._at)
            if end < 0 and not (final and self._at < len(self._text)):
                return
            line = self._text[self._at : end if end >= 0 else len(self._text)]
            self._at = end + 1 if end >= 0 else len(self._text)
            match = _LINE.match(line)
            if match is None:
                continue
            kind, label, rest = match.group(1).upper(), match.group(2) or "", match.group(3).strip()
            if kind == "QUOTE":
                if len(self._quotes) < MAX_QUOTES and rest:
                    self._quotes.append(self._quote(label, _unquoted(rest)))
            elif rest:
                yield Claim(plain(rest, [q.text for q in self._quotes]), tuple(self._quotes))
                self._quotes = []


def parse(text: str, labels: Mapping[str, str]) -> tuple[Claim, ...]:
    """Return the claims of a whole text."""
    stream = ClaimStream(labels)
    return (*stream.feed(text), *stream.end())


def plain(text: str, quotes: Sequence[str] = ()) -> str:
    """Return a model's sentence on one line, without the marks it made up and those that would begin a block of Markdown.

    What looks like a mark and stands in a quote, `argv[1]`, is none.
    """
    told = "\n".join(quotes)
    kept = {index for index in _INDEX.findall(text) if index in told}
    text = _UNSEEN.sub("", text[:MAX_CHARS])
    for number, index in enumerate(kept):
        text = text.replace(index, f"\ue000{number}\ue001")
    text = _BLOCK_MARKS.sub("", " ".join(_RAISED.sub("", _MARKS.sub("", text)).split())).rstrip("\\")
    for number, index in enumerate(kept):
        text = text.replace(f"\ue000{number}\ue001", index)
    numbered = _NUMBERED.match(text)
    return text[numbered.end() :] if numbered and numbered.group(1) not in told else text


def _loaded(text: str) -> Any:
    """Read an object, also one with line ends in its strings or a comma too many; None for what is none."""
    for tried in (text, _SPARE_COMMA.sub(r"\1", text)):
        try:
            return json.loads(tried, strict=False)
        except (ValueError, RecursionError):
            continue
    return None


def _unquoted(text: str) -> str:
    for left, right in (('"', '"'), ("“", "”"), ("'", "'"), ("«", "»"), ("「", "」")):
        if len(text) > 2 and text[0] == left and text[-1] == right and left not in text[1:-1]:
            return text[1:-1].strip()
    return text
