"""In: pages of two sources or versions. Out: the answer shows both sides where they disagree, and nothing where they do not."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pincite import answering
from pincite.types import Answer, AskOptions

QUESTION = "How long does the relay keep messages by default?"
OLD = "# Relay\n\nThe relay keeps messages for 14 days by default.\n"


def asked(shelf, page, one, other, *, question=QUESTION, versions=("1.0", "2.0"), sources=("docs", "docs"), **options) -> Answer:
    documents = [shelf.put(page(text, url=f"https://docs.example.org/{i}.html")) for i, text in enumerate((one, other))]
    result = shelf.result(question, *documents)
    passages = tuple(replace(p, version=v, source=s) for p, v, s in zip(result.passages, versions, sources, strict=True))
    how = AskOptions(**options)
    *_, answer = answering.stream(answering.Turn(question), replace(result, passages=passages), shelf, None, how)
    assert isinstance(answer, Answer)
    return answer


@pytest.mark.parametrize(
    ("one", "other", "question"),
    [
        (OLD, OLD.replace("14", "30"), QUESTION),
        (OLD, OLD.replace("keeps", "does not keep"), QUESTION),
        (
            "The default policy of the relay is `drop_oldest`.\n",
            "The default policy of the relay is `block_sender`.\n",
            "What is the default policy of the relay?",
        ),
    ],
    ids=["number", "negation", "default"],
)
def test_both_sides_are_shown_each_with_its_own_note(shelf, page, one, other, question) -> None:
    answer = asked(shelf, page, one, other, question=question)
    block = answer.markdown.split("The sources differ here:\n\n")[1].split("\n\n")[0]
    first, second = block.splitlines()
    assert first.startswith("- docs 1.0: ")
    assert second.startswith("- docs 2.0: ")
    marks = [re.search(r"\[\^(\d+)\]$", line)[1] for line in (first, second)]
    assert marks[0] != marks[1]
    cited = {str(c.n): c for c in answer.citations}
    assert cited[marks[0]].version == "1.0"
    assert cited[marks[1]].version == "2.0"
    assert all(f"[^{n}]: " in answer.markdown for n in cited)
    assert len(cited) == len(set(re.findall(r"\[\^(\d+)\](?!:)", answer.markdown)))


@pytest.mark.parametrize(
    ("one", "other", "about"),
    [
        (OLD, OLD, {}),
        (OLD, OLD.replace("14", "30"), {"versions": ("1.0", "1.0")}),
        (OLD, OLD.replace("relay keeps messages", "archive keeps its old logs"), {}),
        (OLD, OLD.replace("14 days", "336 hours"), {}),
        (OLD, "The relay keeps messages for 30 days where the plan of the account says so, and by default for less.\n", {}),
        (OLD, OLD.replace("14", "fourteen"), {}),
    ],
    ids=["the same", "one source, one version", "another subject", "another unit", "with a condition", "the same number in words"],
)
def test_what_does_not_disagree_is_not_set_side_by_side(shelf, page, one, other, about) -> None:
    assert "differ" not in asked(shelf, page, one, other, **about).markdown


def test_two_sources_of_one_version_may_disagree_too(shelf, page) -> None:
    answer = asked(shelf, page, OLD, OLD.replace("14", "30"), versions=("", ""), sources=("guide", "wiki"))
    assert "- guide: " in answer.markdown
    assert "- wiki: " in answer.markdown


def test_inline_style_names_both_sources(shelf, page) -> None:
    answer = asked(shelf, page, OLD, OLD.replace("14", "30"), notes="inline")
    assert answer.markdown.split("differ here:")[1].count("[source: ") == 2
