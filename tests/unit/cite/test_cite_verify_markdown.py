"""In: answers in Markdown, by anyone. Out: one finding a sentence and note."""

from __future__ import annotations

import json

import pytest

from pincite.answer.extractive import draft
from pincite.cite.footnotes import verified
from pincite.cite.reach import Reach
from pincite.cite.record import record
from pincite.cite.verify import verify_answer, verify_claims
from pincite.errors import UsageError
from pincite.types import AskOptions

PAGE = """# Vaults

A vault stores entries on disk. Each entry is kept for 30 days by default.

## Limits

A vault holds at most 5,000 entries. Guests cannot rename a vault.
"""
OTHER = "# Replicas\n\nReplicas answer reads while the primary is down.\n"
URL = "https://docs.example.org/page.html"


@pytest.fixture
def library(shelf, page):
    one, two = shelf.put(page(PAGE)), shelf.put(page(OTHER, url="https://docs.example.org/two.html"))
    reach = Reach(
        lambda source, path: tuple(d for d in (one, two) if path in (d.base_url, None)),
        lambda words: (one, two),
        lambda id: shelf.printed.get(id),
    )
    return lambda text: verify_answer(text, shelf, reach)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        pytest.param(
            f"Entries live on disk.[^1]\n\n[^1]: Vaults — {URL} “A vault stores entries on disk.”\n", [True], id="a quote that stands there"
        ),
        pytest.param(
            f"Entries live in memory.[^1]\n\n[^1]: Vaults — {URL} “A vault stores entries in memory.”\n", [False], id="a changed word"
        ),
        pytest.param(
            f"Entries are kept for 90 days.[^1]\n\n[^1]: {URL} “Each entry is kept for 30 days by default.”\n",
            [False],
            id="a true quote, a false sentence",
        ),
        pytest.param(f"A vault stores entries on disk.[^a]\n\n[^a]: {URL}\n", [True], id="the sentence itself, no quote"),
        pytest.param(f"Each entry is kept for 30 days by default, see {URL}\n", [True], id="a bare link and a near sentence"),
        pytest.param(f"Each vault holds at most 9,000 entries ({URL}).\n", [False], id="a bare link and a wrong number"),
        pytest.param(f"Guests can rename a vault [docs]({URL}).\n", [False], id="a Markdown link and a dropped not"),
        pytest.param("Entries live on disk.[^1]\n", [False], id="a dangling note"),
        pytest.param(f"Hello.\n\n[^1]: {URL} “A vault stores entries on disk.”\n", [False], id="an unused note"),
        pytest.param(
            "Entries live on disk.[^1]\n\n[^1]: https://elsewhere.example/ “A vault stores entries on disk.”\n",
            [False],
            id="a page that is not held",
        ),
        pytest.param(
            f"Replicas answer reads.[^1]\n\n[^1]: {URL} “Replicas answer reads while the primary is down.”\n",
            [False],
            id="right words, another page",
        ),
        pytest.param(
            f"One.[^1] Two.[^2]\n\n[^1]: {URL} “A vault stores entries on disk.”\n[^2]: {URL} “A vault holds at most 6,000 entries.”\n",
            [True, False],
            id="two notes",
        ),
        pytest.param("No notes and no links at all.\n", [], id="nothing to check"),
    ],
)
def test_each_sentence_is_checked_by_its_note(library, text: str, holds: list[bool]) -> None:
    assert [note.holds for note in library(text)] == holds


def test_a_note_may_name_its_capture_by_code(library, shelf) -> None:
    ref = next(iter(shelf.taken))
    (note,) = library(f"Entries live on disk.[^1]\n\n[^1]: {ref} “A vault stores entries on disk.”\n")
    assert note.holds
    assert note.line == 1


def test_words_of_another_page_are_said_to_stand_elsewhere(library) -> None:
    (note,) = library(f"X.[^1]\n\n[^1]: {URL} “Replicas answer reads while the primary is down.”\n")
    assert note.verdict == "found_elsewhere"


def ours(shelf, page) -> dict:
    document = shelf.put(page(PAGE))
    result = shelf.result("How long is an entry kept by default?", document)
    answer = verified(draft(result.query, result, shelf, AskOptions()), result, shelf, AskOptions(), language="en")
    shelf.printed.update({c.id: c for c in answer.citations})
    return {"query": answer.query, "markdown": answer.markdown, "citations": [record(c) for c in answer.citations]}


def test_our_own_answer_holds(library, shelf, page) -> None:
    notes = library(json.dumps(ours(shelf, page)))
    assert notes
    assert all(note.holds for note in notes)


@pytest.mark.parametrize("field", ["text", "visible"])
def test_a_forged_quote_in_our_own_json_is_found(library, shelf, page, field: str) -> None:
    answer = ours(shelf, page)
    quote = answer["citations"][0]["quote"]
    quote[field] = quote[field].replace("30", "31")
    assert not all(note.holds for note in library(json.dumps(answer)))


@pytest.mark.parametrize("where", ["markdown", "claim"])
@pytest.mark.parametrize(("true", "false"), [("30 days", "31 days"), ("is kept", "is not kept")])
def test_a_forged_sentence_over_a_true_quote_is_found(library, shelf, page, where: str, true: str, false: str) -> None:
    answer = ours(shelf, page)
    if where == "markdown":
        assert true in answer["markdown"]
        answer["markdown"] = answer["markdown"].replace(true, false)
    else:
        answer["citations"][0]["claim"]["text"] = answer["citations"][0]["claim"]["text"].replace(true, false)
    (note,) = library(json.dumps(answer))
    assert (note.holds, note.support) == (False, "failed")
    assert false in note.sentence


@pytest.mark.parametrize("change", [{"ref": "REF-000000"}, {"snapshot": {"id": "sha256:forged"}}], ids=["another code", "another snapshot"])
def test_a_forged_place_in_our_own_json_is_found(library, shelf, page, change: dict) -> None:
    answer = ours(shelf, page)
    answer["citations"][0] |= change
    assert not all(note.holds for note in library(json.dumps(answer)))


@pytest.mark.parametrize("text", ["{broken", '{"query": "x"}'])
def test_json_that_is_no_answer_is_a_usage_error(library, text: str) -> None:
    with pytest.raises(UsageError):
        library(text)


class Opinion:
    """A judge with one opinion, who notes what is shown."""

    def __init__(self, said):
        self.said, self.shown = said, []

    def judge(self, sentence, quoted):
        self.shown.append((sentence, quoted))
        return self.said


@pytest.fixture
def judged(shelf, page):
    one = shelf.put(page(PAGE))

    def check(text, judge):
        reach = Reach(lambda source, path: (one,) if path in (one.base_url, None) else (), lambda words: (one,), lambda id: None, judge)
        return verify_answer(text, shelf, reach)

    return check


@pytest.mark.parametrize(("said", "support"), [("entailed", "entailed"), ("failed", "failed"), ("unchecked", "lexical")])
def test_a_judge_has_the_last_word_where_nothing_speaks_against_a_sentence(judged, said, support):
    judge = Opinion(said)
    (note,) = judged(f"A vault stores its entries on disk, see {URL}\n", judge)
    assert note.support == support
    ((sentence, shown),) = judge.shown
    assert sentence == "A vault stores its entries on disk"
    assert any("A vault stores entries on disk." in text for text in shown)


def test_a_wrong_number_fails_whatever_the_judge_thinks(judged):
    judge = Opinion("entailed")
    (note,) = judged(f"Each vault holds at most 9,000 entries ({URL}).\n", judge)
    assert note.support == "failed"
    assert judge.shown == []


@pytest.mark.parametrize(("said", "support"), [("entailed", "entailed"), ("failed", "failed")])
def test_a_claim_line_is_judged_too(shelf, page, said, support):
    one = shelf.put(page(PAGE))
    reach = Reach(lambda source, path: (one,), lambda words: (one,), lambda id: None, Opinion(said))
    (checked,) = verify_claims([{"id": "1", "claim": "A vault stores entries on disk.", "site": "s", "path": "p"}], reach)
    assert checked.support == support


@pytest.mark.parametrize(
    "written",
    ["({url})", "({url}).", "see {url}.", "**{url}**", "[{url}]", "`{url}`"],
    ids=["brackets", "brackets and a full stop", "a full stop", "bold", "square brackets", "code"],
)
def test_an_address_ends_where_the_sentence_goes_on(judged, written):
    (note,) = judged(f"A vault stores entries on disk {written.format(url=URL)}\n", None)
    assert note.note == URL
    assert note.status in ("exact", "normalized")


@pytest.mark.parametrize(
    "written", ["[{url}]", "({url})", "{url}", "[page]({url})", "<{url}>"], ids=["square", "round", "bare", "link", "angles"]
)
def test_an_address_behind_the_full_stop_belongs_to_the_sentence_before(judged, written):
    (note,) = judged(f"A vault stores entries on disk. {written.format(url=URL)}\n", None)
    assert note.sentence.startswith("A vault stores entries on disk.")
    assert note.status in ("exact", "normalized")


HOSTILE = {
    "brackets": "[" * 50_000,
    "notes": "[^" * 50_000,
    "addresses": "[http://a.b/" * 20_000,
    "apart": "[http://a.b/ " * 5_000,
    "quotes": "“" * 50_000,
    "angles": "«  " * 20_000,
    "links": "[a](http://a.b/" * 10_000,
    "spaces": "A word" + " " * 100_000 + "(",
    "stars": "** " * 30_000 + URL,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_an_answer_made_to_be_slow_is_not(judged, text):
    from time import process_time

    begun = process_time()
    judged(text, None)
    assert process_time() - begun < 10


@pytest.mark.parametrize(
    "text", ['{"citations": [null]}', '{"citations": [{"quote": 1, "ref": "REF-aaaaaa"}]}', '{"citations": [{"claim": []}]}']
)
def test_a_citation_that_is_none_is_told_by_its_number(judged, text):
    with pytest.raises(UsageError, match="Citation 1"):
        judged(text, None)


def test_an_address_may_hold_brackets_of_its_own(shelf, page):
    url = "https://docs.example.org/vault_(disk)"
    one = shelf.put(page(PAGE, url=url))
    reach = Reach(lambda source, path: (one,) if path == url else (), lambda words: (), lambda id: None)
    (note,) = verify_answer(f"A vault stores entries on disk ({url}).\n", shelf, reach)
    assert (note.note, note.status) == (url, "exact")


def test_a_note_that_quotes_nothing_is_named_by_what_supports_its_sentence(judged):
    (note,) = judged(f"A vault stores its entries on disk, see {URL}\n", None)
    assert (note.holds, note.finding) == (True, "lexical")
    (note,) = judged(f"A vault stores its entries on disk, see {URL}\n", Opinion("entailed"))
    assert (note.holds, note.finding) == (True, "entailed")
    (note,) = judged(f"A vault holds at most 9,000 entries, see {URL}\n", None)
    assert (note.holds, note.finding) == (False, "failed")
    (note,) = judged(f"A page says “A vault stores entries on tape.” ({URL})\n", None)
    assert (note.holds, note.finding) == (False, "absent")
