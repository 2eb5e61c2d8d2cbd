"""What answering gives: drafts, verified citations, answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from pincite.types.captures import Capture
from pincite.types.ids import Span

Status = Literal["exact", "normalized", "elided", "near", "unverified"]


Verdict = Literal[
    "exact",
    "moved",
    "punctuation_only",
    "ellipsis_hides",
    "truncated_condition",
    "operator_changed",
    "spliced",
    "found_elsewhere",
    "absent",
]


Support = Literal["lexical", "entailed", "unchecked", "failed"]


@dataclass(frozen=True, slots=True)
class Verification:
    """What the quote check found. `support` says, apart, whether the quote carries the sentence."""

    status: Status
    verdict: Verdict
    score: float = 100.0
    vetoes: tuple[str, ...] = ()
    occurrences: int = 1
    support: Support = "unchecked"


@dataclass(frozen=True, slots=True)
class Citation:
    """The record of a footnote: a quote, where it stands, the snapshot it was checked against. Its JSON: `cite.record`."""

    id: str
    n: int
    capture: Capture
    document: str
    span: Span
    quote: str
    visible: str
    title: str
    heading: tuple[str, ...]
    anchor: str | None
    block: str | None
    paragraph: int | None
    line: int | None
    prefix: str
    suffix: str
    text_sha256: str
    extractor: str
    verification: Verification
    claim: str = ""
    answer_span: tuple[int, int] = (0, 0)
    canonical_url: str = ""
    css: str | None = None
    deep_link: str = ""
    archive_link: str = ""
    model_text: str | None = None
    language: str = ""
    version: str = ""
    page: int | None = None
    drift: str = "unchecked"
    quality: float = 0.0
    quality_parts: tuple[tuple[str, float], ...] = ()
    page_chars: int = 0
    """Length of the document's text."""
    remark: str = ""
    """A person's note for readers of the footnote."""
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A sentence that was not printed, and why."""

    sentence: str
    reason: str
    verdict: str


@dataclass(frozen=True, slots=True)
class Answer:
    """Text whose every `[^n]` has its citation. Made only by `cite`."""

    query: str
    markdown: str
    abstained: bool
    citations: tuple[Citation, ...] = ()
    unknown_terms: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    intent: str = "how_to"
    model: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class DraftQuote:
    """A quote that a draft offers for a claim. Extractive drafts know the span; a model's only say words and, perhaps, a block."""

    text: str
    passage: str | None = None
    block: str | None = None
    document: str | None = None
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """One sentence, list item or code block of a draft and the quotes it rests on."""

    text: str
    quotes: tuple[DraftQuote, ...]
    kind: Literal["sentence", "item", "code", "table", "lead"] = "sentence"
    language: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What composing gives to verification. Nothing of it is printed unless `cite` has checked it."""

    claims: tuple[Claim, ...]
    model: str | None = None
    usage: Mapping[str, int] = field(default_factory=dict)
    intent: str = "how_to"


@dataclass(frozen=True, slots=True)
class AskOptions:
    """How an answer is made and printed."""

    notes: Literal["footnotes", "inline"] = "footnotes"
    quotes: bool = False
    passages: int = 3
    """Pages that an answer draws on."""
    passage_chars: int = 512
    floor: float = 0.22
    """Share of the question's IDF that the passages must cover, or nothing is answered; set on questions of our own."""
    style: Literal["short", "medium", "long"] = "medium"
    model: bool = True
    """False: extractive, even where a model is configured."""


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """What became of one quote that was to be verified. `text` is what the library would print: a slice of the document."""

    id: str
    status: Status
    verdict: Verdict
    start: int | None = None
    end: int | None = None
    text: str | None = None
    ms: float = 0.0
    ref: str | None = None
    document: str | None = None
    vetoes: tuple[str, ...] = ()
    occurrences: int = 0

    @property
    def accepted(self) -> bool:
        """Say whether the words stand in the source as they were quoted."""
        return self.status in ("exact", "normalized", "elided")


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """What a page says to a claim. Never `entailed` without a judge."""

    id: str
    support: Support
    why: str = ""


@dataclass(frozen=True, slots=True)
class NoteCheck:
    """What became of one sentence of somebody's answer and one note of it."""

    note: str
    sentence: str
    line: int
    quote: str
    ref: str | None
    status: Status
    verdict: Verdict
    support: Support = "unchecked"
    why: str = ""
    text: str | None = None
    """The nearest words of the source, a slice of its document."""

    @property
    def holds(self) -> bool:
        """Say whether the quote stands there, or, where a note quotes nothing, whether the page carries the sentence's words."""
        carried = self.status in ("exact", "normalized", "elided") or (not self.quote and self.support in ("lexical", "entailed"))
        return carried and self.support != "failed"

    @property
    def finding(self) -> str:
        """The one word to print: of a quote its verdict; a note that quotes nothing is judged by what supports its sentence."""
        return self.verdict if self.quote or self.support == "unchecked" else self.support
