"""A library made of lists, for the commands. In: nothing. Out: `run`, which calls the command line and returns what it printed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

import pytest

from pincite.errors import StoreMissing, UsageError
from pincite.serve.cli import main
from pincite.serve.session import Session
from pincite.settings import Settings
from pincite.types import (
    Answer,
    AskOptions,
    Capture,
    Coverage,
    Finding,
    NoteCheck,
    PageOutcome,
    Passage,
    Policy,
    QuoteCheck,
    SearchResult,
    Source,
)

NOON = datetime(2026, 11, 30, 12, 0, 0, 123000, UTC)
PASSAGE = Passage(
    id="psg_1",
    rank=1,
    score=4.2,
    scores={"lexical": 4.2},
    kind="doc",
    ref="REF-7k3m9q",
    source="guide",
    version="2.1",
    path="cache.md",
    url="file:///guide/cache.md",
    title="Cache",
    heading=("Cache", "Bypass"),
    symbol=None,
    paragraph=1,
    line=7,
    start=10,
    end=42,
    text="Pass `cache=False` to bypass it.",
    fetched_at=NOON,
    snapshot="sha256:00",
    document="doc_1",
)
CAPTURE = Capture(
    ref="REF-7k3m9q",
    snapshot="sha256:00",
    source="guide",
    url="file:///guide/cache.md",
    path="cache.md",
    final_url="file:///guide/cache.md",
    status=200,
    media_type="text/markdown",
    charset="",
    etag="",
    last_modified="",
    fetched_at=NOON,
    size=60,
)
PAGES = (PageOutcome("https://e.org/a", "fetched", ref="REF-000001"), PageOutcome("https://e.org/b", "failed", "404"))
ANSWER = Answer("q", "Pass `cache=False`.[^1]\n\n[^1]: Cache", abstained=False)


@dataclass
class FakeLibrary:
    """Answers every call with what the test put in, and notes the calls."""

    settings: Settings = field(default_factory=Settings)
    report: Coverage = field(default_factory=lambda: Coverage("guide", 2, 1, 0, {}, {"404": 1}, 1, 3, 0.5, PAGES))
    kind: Any = "site"
    passages: tuple[Passage, ...] = (PASSAGE,)
    answer: Answer = ANSWER
    findings: tuple[Finding, ...] = ()
    error: BaseException | None = None
    calls: list[tuple[str, Any]] = field(default_factory=list)
    place: str = "library.db"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.calls.append(("close", None))

    def policy(self) -> Policy:
        return Policy()

    def answer_options(self) -> AskOptions:
        return AskOptions()

    def add(self, location: str, **options: Any) -> Coverage:
        self.calls.append(("add", (location, options)))
        for page in self.report.pages:
            options["progress"](page)
        if self.error:
            raise self.error
        return self.report

    def refresh(self, source: str, **options: Any) -> Coverage:
        self.calls.append(("refresh", (source, options)))
        return self.report

    def retry(self, source: str, **options: Any) -> Coverage:
        self.calls.append(("retry", (source, options)))
        return self.report

    def search(self, query: str, **options: Any) -> SearchResult:
        self.calls.append(("search", (query, options)))
        if not query.strip():
            raise UsageError("The question is empty.")
        if self.error:
            raise self.error
        return SearchResult(query, self.passages, () if self.passages else ("frobnicate",))

    def ask(self, question: str, *, options: AskOptions, **filters: Any) -> Answer:
        self.calls.append(("ask", (question, options, filters)))
        return self.answer

    def sources(self) -> tuple[Source, ...]:
        return (Source("guide", self.kind, "https://e.org/", "2.1", added_at=NOON),)

    def status(self, source: str | None = None) -> Mapping[str, Coverage | None]:
        return {"guide": self.report}

    def stats(self) -> Mapping[str, Any]:
        return {"sources": 1, "captures": 3}

    def remove(self, source: str, *, purge: bool = False) -> int:
        self.calls.append(("remove", (source, purge)))
        return 3

    def reindex(self, source: str | None = None, *, progress: Callable[[PageOutcome], None]) -> int:
        return 2

    def capture(self, ref: str) -> Capture:
        if ref != CAPTURE.ref:
            raise UsageError(f"There is no capture {ref} in this library.")
        return CAPTURE

    def body(self, ref: str) -> bytes:
        return b"\xff\x00raw"

    def verify_quotes(self, lines: Iterable[Mapping[str, Any]]) -> Iterator[QuoteCheck]:
        for line in lines:
            status: Any = "exact" if line["quote"] == "held" else "unverified"
            yield QuoteCheck(str(line["id"]), status, "exact" if status == "exact" else "absent")

    def verify_answer(self, text: str) -> tuple[NoteCheck, ...]:
        return (NoteCheck("1", "Something.", 1, "Something.", None, "unverified", "absent", text="Something else."),)

    def verify(self) -> tuple[Finding, ...]:
        return self.findings


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on stdout."""
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def fake() -> FakeLibrary:
    """A library that a test may change before it runs a command."""
    return FakeLibrary()


@pytest.fixture
def run(fake: FakeLibrary, capfdbinary: pytest.CaptureFixture[bytes]) -> Run:
    """Call the command line against the fake library."""

    def call(*arguments: str, missing: bool = False) -> Ran:
        def opened(settings: Settings, create: bool) -> Any:
            fake.calls.append(("open", (settings.store, create)))
            if missing and not create:
                raise StoreMissing("There is no library yet.")
            return fake

        code = main(arguments, Session(opened=opened))
        out, err = capfdbinary.readouterr()
        return Ran(code, out.decode("utf-8", "surrogateescape"), err.decode())

    return call
