"""Whatever a model says: every printed quote is a slice of its snapshot's text, every mark has its note, every note its mark."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from pincite import answering
from pincite.cite import turned
from pincite.cite.fold import fold
from pincite.cite.haystack import Haystack
from pincite.cite.locate import locate
from pincite.cite.offered import readings
from pincite.cite.written import read
from pincite.errors import ModelError
from pincite.types import Answer, AskOptions, Block, Capture, Document, Passage, SearchResult, Section, Span

WHEN = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
WORDS = st.sampled_from(
    [
        "the",
        "vault",
        "keeps",
        "30",
        "entries,",
        "not",
        "`retry_limit`",
        "**bold**",
        "[^9]",
        "[^1]:",
        "![i](x)",
        "<b>",
        "never…",
        "缓存",
        "不",
        "保留",
        "24",
        "小时。",
        "“quoted”",
        "—",
        "dash",
        "--flag",
        "2.5",
        "a_b",
        "|",
        "^",
        "](",
        "\\",
    ]
)
SENTENCE = st.lists(WORDS, min_size=1, max_size=14).map(" ".join)
PARAGRAPHS = st.lists(st.lists(SENTENCE, min_size=1, max_size=3).map(". ".join), min_size=1, max_size=5)


@dataclass
class Held:
    """One document and its capture."""

    doc: Document

    def capture(self, ref: str) -> Capture | None:
        url = self.doc.base_url
        return Capture("REF-aaaaaa", self.doc.snapshot, "s", url, "p.html", url, 200, "text/html", "", "", "", WHEN, 1)

    def citation(self, id: str) -> None:
        return None

    def captures(self, url: str) -> tuple[Capture, ...]:
        return ()

    def body(self, snapshot: str) -> bytes:
        return self.doc.text.encode()

    def document(self, document: str) -> Document | None:
        return self.doc if document == self.doc.id else None

    def document_of(self, ref: str) -> Document | None:
        return self.doc


@dataclass
class Parrot:
    """A model that says what it is told to, for ever, and perhaps dies."""

    text: str
    dies: bool
    name: str = "parrot"

    def complete(self, system: str, prompt: str, *, schema: object = None, max_tokens: int = 1) -> str:
        return self.text

    def stream(self, system: str, prompt: str, *, schema: object = None, max_tokens: int = 1):
        for i in range(0, len(self.text), 5):
            yield self.text[i : i + 5]
        if self.dies:
            raise ModelError("the stream ended", rule="stream_died")


def document_of(paragraphs: list[str]) -> Document:
    text, blocks = "", []
    for i, paragraph in enumerate(paragraphs):
        start = len(text)
        text += paragraph
        hidden = tuple(Span(start + m.start(), start + m.end()) for m in re.finditer(r"\*\*|`", paragraph))
        blocks.append(Block(f"b{i}", "paragraph", Span(start, len(text)), 0, i + 1, hidden=hidden))
        text += "\n\n"
    root = Section(0, 0, (), Span(0, len(text)), kind="root")
    return Document("doc_x", "sha256:x", "https://e.example/p.html", "doc", "T [^2]", text, (root,), tuple(blocks), "t@1")


def result_of(document: Document) -> SearchResult:
    passage = Passage(
        "psg_1", 1, 1.0, {}, "doc", "REF-aaaaaa", "s", "", "p.html", document.base_url, document.title, (), None, 1, None, 0,
        len(document.text), document.text, WHEN, document.snapshot, document.id,
    )  # fmt: skip
    return SearchResult("what does the vault keep?", (passage,), (), 1.0)


def sound(answer: Answer, document: Document) -> None:
    for citation in answer.citations:
        assert citation.quote == document.text[citation.span.start : citation.span.end]
        assert citation.visible == document.visible(citation.span)
    notes = re.findall(r"^\[\^(\d+)\]: ", answer.markdown, re.M)
    body = re.sub(r"^\[\^\d+\]: .*$", "", answer.markdown, flags=re.M)
    marks = re.findall(r"(?<!\\)(?:\\\\)*\[\^([^\]]*)\]", body)
    assert list(dict.fromkeys(marks)) == notes == [str(c.n) for c in answer.citations]
    assert not re.search(r"(?<!\\)(?:\\\\)*!\[", answer.markdown)


@st.composite
def replies(draw: st.DrawFn, paragraphs: list[str]) -> str:
    slices = st.sampled_from(paragraphs).flatmap(
        lambda p: st.tuples(st.integers(0, len(p)), st.integers(0, len(p))).map(lambda ab: p[min(ab) : max(ab)])
    )
    quote = st.one_of(slices, SENTENCE, st.text(max_size=40))
    claim = st.fixed_dictionaries(
        {
            "quotes": st.lists(st.fixed_dictionaries({"passage": st.sampled_from(["p1", "p2", "", "9"]), "quote": quote}), max_size=3),
            "text": st.one_of(quote, SENTENCE),
        }
    )
    text = json.dumps({"claims": draw(st.lists(claim, max_size=4))}, ensure_ascii=draw(st.booleans()))
    if draw(st.booleans()):
        text = text[: draw(st.integers(0, len(text)))]
    return draw(
        st.one_of(
            st.just(text),
            st.text(max_size=200),
            st.lists(quote, max_size=4).map(lambda q: "\n".join(f"QUOTE p1: {x}\nCLAIM: {x}" for x in q)),
        )
    )


@given(st.data(), PARAGRAPHS, st.booleans(), st.sampled_from(["footnotes", "inline"]))
def test_any_model_output_gives_a_sound_answer(data: st.DataObject, paragraphs: list[str], dies: bool, notes) -> None:
    document = document_of(paragraphs)
    model = Parrot(data.draw(replies(paragraphs)), dies)
    turn, options = answering.Turn("what does the vault keep?"), AskOptions(floor=0.0, notes=notes)
    try:
        *pieces, answer = answering.stream(turn, result_of(document), Held(document), model, options)
    except ModelError:
        assert dies
        return
    assert isinstance(answer, Answer)
    if notes == "footnotes":
        sound(answer, document)
    assert all(piece in answer.markdown for piece in pieces)


@given(PARAGRAPHS, st.booleans())
def test_an_extractive_answer_is_sound(paragraphs: list[str], quotes: bool) -> None:
    document = document_of(paragraphs)
    *_, answer = answering.stream(
        answering.Turn("what does the vault keep?"), result_of(document), Held(document), None, AskOptions(floor=0.0, quotes=quotes)
    )
    assert isinstance(answer, Answer)
    assert not answer.dropped
    sound(answer, document)


@given(st.text())
def test_folding_keeps_the_way_back(text: str) -> None:
    folded = fold(text)
    assert len(folded.text) == len(folded.starts) == len(folded.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.ends, strict=True))
    assert list(folded.starts) == sorted(folded.starts)


@given(PARAGRAPHS, st.data())
def test_what_is_accepted_stands_there(paragraphs: list[str], data: st.DataObject) -> None:
    document = document_of(paragraphs)
    quote = data.draw(st.one_of(SENTENCE, st.sampled_from(paragraphs), st.text(min_size=1, max_size=60)))
    located = locate(quote, Haystack(document))
    if located.accepted and located.status != "elided":
        assert located.span is not None
        told, held = fold(quote).text, fold(document.visible(located.span)).text
        assert re.sub(r"[\W_]", "", held) in re.sub(r"[\W_]", "", told + fold(document.text).text)
        assert re.findall(r"\d+", held) == re.findall(r"\d+", told) or located.status == "exact"


_PIECES = [
    *"ab N1250.,;:!?%€\n \t`~*_#>-+|[]()<>^\\/\"'“”「」不没ー。é\u200b\ud800=&$",
    "http://a.b/",
    "[^1]",
    "```",
    "<b>",
    "...",
    "[1]: ",
]
_WRITTEN = st.lists(st.sampled_from(_PIECES), max_size=60).map("".join)


@given(_WRITTEN, st.booleans())
@settings(max_examples=300)
def test_readings_of_a_quote_are_new_and_end(words: str, doubled: bool) -> None:
    found = list(readings(words * 2 if doubled else words))
    assert len(found) == len(set(found))
    assert all(found)


@given(_WRITTEN)
@settings(max_examples=300)
def test_an_answer_is_taken_apart_on_its_own_lines(text: str) -> None:
    written = read(text)
    lines = text.replace("\r", "\n").count("\n") + 1
    assert all(1 <= part.line <= lines for part in written.parts)
    assert [part.line for part in written.parts] == sorted(part.line for part in written.parts)


@given(_WRITTEN, _WRITTEN, _WRITTEN)
@settings(max_examples=300)
def test_a_sentence_that_is_its_quote_turns_nothing_and_any_other_gives_words(said: str, other: str, asked: str) -> None:
    assert isinstance(turned.reason(said, [other, said], f"{other}\n{said}", asked), str)
    same = "The lamp burns oil until the morning, but only when the keeper is there."
    assert turned.reason(same, [same], same, asked) == ""
