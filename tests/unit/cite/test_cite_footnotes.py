"""In: drafts over small pages. Out: answers with notes, or refusals."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pincite.answer.extractive import draft
from pincite.cite.footnotes import verified
from pincite.cite.record import record
from pincite.cite.refs import fingerprint, refs_in
from pincite.types import AskOptions, Claim, Draft, DraftQuote, SearchResult, timestamp

PAGE = """# Vaults

A vault stores entries on disk. Each entry is written before the server answers.

## Bypassing the cache

Set `mode="bypass"` to skip the cache for one request. The cache itself keeps its entries. See [modes](modes.html).

The modes are:

- `bypass` reads past the cache
- `refresh` reads past it and stores the answer

A page may hold a marker of its own[^9] and an ![image](https://evil.example/x.png).
"""
QUESTION = "How do I bypass the cache for one request?"
OPTIONS = AskOptions()


def answered(shelf, page, *, options=OPTIONS, question=QUESTION, language=None, text=PAGE, answerable=1.0, **about):
    document = shelf.put(page(text, **about))
    result = shelf.result(question, document, answerable=answerable)
    return document, verified(draft(question, result, shelf, options), result, shelf, options, language=language)


def test_an_answer_quotes_the_sentence_and_notes_its_place(shelf, page) -> None:
    document, answer = answered(shelf, page)
    assert not answer.abstained
    assert 'Set mode="bypass" to skip the cache for one request.' in answer.markdown
    (citation,) = answer.citations
    assert citation.span.of(document.text) == citation.quote
    assert document.visible(citation.span) == citation.visible
    note = answer.markdown.strip().splitlines()[-1]
    ref = citation.capture.ref
    assert note.startswith("[^1]: A page — https://docs.example.org/page.html#s2:~:text=")
    assert note.endswith(f" · § Vaults › Bypassing the cache, ¶ 1 · snapshot 2026-11-30T12:00:00Z · {ref}")


def test_with_quotes_the_note_holds_the_quote(shelf, page) -> None:
    _, answer = answered(shelf, page, options=AskOptions(quotes=True))
    assert "· “Set mode=" in answer.markdown


def test_every_mark_has_its_note_and_every_note_its_mark(shelf, page) -> None:
    _, answer = answered(shelf, page)
    body, notes = answer.markdown.split("\n\n[^1]: ")
    assert set(re.findall(r"(?<!\\)\[\^(\d+)\](?!:)", body)) == {"1"}
    assert notes.count("[^") == 0


def test_a_marker_in_a_page_is_escaped_and_no_image_is_printed(shelf, page) -> None:
    _, answer = answered(
        shelf, page, question="Where is a marker of its own?", text="A page may hold a marker of its own[^9] and ![x](y.png) too.\n"
    )
    assert "\\[^9]" in answer.markdown
    assert "![" not in re.sub(r"\\!", "", answer.markdown)


def test_inline_notes_have_no_block_of_notes(shelf, page) -> None:
    _, answer = answered(shelf, page, options=AskOptions(notes="inline"))
    assert "[source: https://docs.example.org/page.html#s2:~:text=" in answer.markdown
    assert not re.search(r"(?<!\\)\[\^", answer.markdown)
    assert len(answer.citations) == 1


@pytest.mark.parametrize(
    ("question", "label"),
    [
        pytest.param("如何为一次请求绕过 cache？", "来源：", id="Chinese"),
        pytest.param("cache を一回だけ bypass するには？", "出典：", id="Japanese"),
        pytest.param("How do I bypass the cache for one request?", "· snapshot ", id="English"),
        pytest.param("Wie kann ich den cache mit bypass umgehen und was ist das?", "· Stand ", id="German"),
    ],
)
def test_labels_follow_the_language_of_the_question(shelf, page, question: str, label: str) -> None:
    _, answer = answered(shelf, page, question=question)
    assert label in answer.markdown


def test_a_local_file_is_cited_by_path_and_line(shelf, page) -> None:
    _, answer = answered(shelf, page, url="file:///docs/vaults.md")
    assert "— docs/vaults.md:7 ·" in answer.markdown


def test_code_is_printed_in_a_fence_with_its_note_below(shelf, page) -> None:
    text = 'def bypass(cache):\n    """Skip the cache for one request."""\n    return cache.skip()\n'
    _, answer = answered(shelf, page, text=text, kind="code", url="file:///src/cache.py")
    assert answer.markdown.startswith("```python\ndef bypass(cache):\n")
    assert "\n```\n[^1]\n\n[^1]: " in answer.markdown


def test_a_list_item_comes_with_its_lead_in(shelf, page) -> None:
    _, answer = answered(shelf, page, question="Which mode reads past it and stores the answer?", options=AskOptions(passage_chars=60))
    assert answer.markdown.startswith("The modes are:\n\n- bypass reads")


def test_nothing_above_the_floor_abstains_and_names_unknown_words_and_nearest_sources(shelf, page) -> None:
    document = shelf.put(page(PAGE))
    result = shelf.result("How do I enable quantum mode?", document, answerable=0.2, unknown=("quantum",))
    answer = verified(draft(result.query, result, shelf, OPTIONS), result, shelf, OPTIONS, language=None)
    assert answer.abstained
    assert answer.citations == ()
    assert "quantum" in answer.markdown
    assert "A page (https://docs.example.org/page.html)" in answer.markdown
    assert "[^" not in answer.markdown


def test_no_passages_at_all_abstain(shelf) -> None:
    result = SearchResult("anything", ())
    assert verified(draft("anything", result, shelf, OPTIONS), result, shelf, OPTIONS, language="zh").markdown.startswith("资料库")


def test_the_same_question_gives_the_same_answer(shelf, page) -> None:
    _, first = answered(shelf, page)
    _, second = answered(shelf, page)
    assert first == second


def test_a_models_number_is_not_believed_the_quote_says_where_it_stands(shelf, page) -> None:
    one = shelf.put(page(PAGE))
    two = shelf.put(page("Replicas answer reads while the primary is down.\n", url="https://docs.example.org/two.html"))
    result = shelf.result("q", one, two)
    wrong = result.passages[0].id
    claim = Claim("Replicas can serve reads.", (DraftQuote("Replicas answer reads while the primary is down.", wrong),))
    answer = verified(Draft((claim,), model="small"), result, shelf, OPTIONS, language="en")
    (citation,) = answer.citations
    assert citation.document == two.id
    assert citation.verification.verdict == "moved"


def test_a_sentence_with_a_false_quote_is_dropped_and_listed(shelf, page) -> None:
    document = shelf.put(page(PAGE))
    result = shelf.result("q", document)
    good = Claim("Entries live on disk.", (DraftQuote("A vault stores entries on disk."),))
    bad = Claim("Entries live in memory.", (DraftQuote("A vault stores entries in memory."),))
    answer = verified(Draft((bad, good), model="small"), result, shelf, OPTIONS, language="en")
    assert "memory" not in answer.markdown
    assert [d.sentence for d in answer.dropped] == ["Entries live in memory."]
    assert answer.dropped[0].verdict == "absent"
    assert answer.citations[0].n == 1


def test_all_sentences_dropped_is_an_abstention(shelf, page) -> None:
    result = shelf.result("q", shelf.put(page(PAGE)))
    bad = Claim("Entries live in memory.", (DraftQuote("A vault stores entries in memory."),))
    answer = verified(Draft((bad,), model="small"), result, shelf, OPTIONS, language="en")
    assert answer.abstained
    assert len(answer.dropped) == 1


def test_a_code_in_the_question_names_its_capture_in_any_case(shelf, page) -> None:
    shelf.put(page(PAGE))
    ref, capture = next(iter(shelf.taken.items()))
    assert refs_in(f"explain {ref.upper()} and REF-000000 please", shelf) == (ref,)
    assert refs_in(f"explain {fingerprint(capture.url, timestamp(capture.fetched_at))}", shelf) == (ref,)
    assert refs_in("explain cache.bypass_everything_at_once_please", shelf) == ()


def test_the_record_has_the_shape_of_the_one_json(shelf, page) -> None:
    _, answer = answered(shelf, page)
    made = record(replace(answer.citations[0], css="main > p"))
    assert list(made) == [
        "id", "ref", "n", "claim", "source", "snapshot", "quote", "selectors", "deep_link", "archive_link", "verification", "drift", "mark",
        "quality", "flags", "remark",
    ]  # fmt: skip
    assert [s["type"] for s in made["selectors"]] == ["TextQuoteSelector", "TextPositionSelector", "CssSelector"]
    assert made["selectors"][0]["exact"] == made["quote"]["visible"]
    assert made["verification"]["status"] == "exact"
