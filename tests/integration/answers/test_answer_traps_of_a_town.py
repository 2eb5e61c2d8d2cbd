"""In: the pages of a town and quotes of them, `town/quotes.jsonl`: right ones that look wrong, wrong ones that look right. Out: what
`verify_quotes` says of each.

The pages are ours: a lease, a leaflet of medicine, a policy, manuals, references, changes, tables, code, a story in HTML, pages in
Chinese, Japanese, Korean, German, French and Spanish. The kinds are those of CITATIONS.md and of the mutations that language models make.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite.library import Library
from pincite.types import QuoteCheck

TOWN = Path(__file__).parent / "town"
QUOTES = [json.loads(line) for line in (TOWN / "quotes.jsonl").read_text("utf-8").splitlines()]
IDS = [f"{n}-{each['page']}-{each['kind']}" for n, each in enumerate(QUOTES)]
NAMED = {
    "condition": {"truncated_condition"},
    "ellipsis": {"ellipsis_hides", "spliced", "absent"},
    "other-page": {"found_elsewhere"},
    "modal": {"operator_changed", "absent"},
}
"""Verdicts of the wrong ones, where the kind has one of its own."""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, tuple[QuoteCheck, str]]]:
    """Return each quote's check and the text of the document that it was found in."""
    folder = tmp_path_factory.mktemp("town")
    for page in (TOWN / "pages").iterdir():
        (folder / page.name.removesuffix(".page")).write_bytes(page.read_bytes())
    with Library(str(tmp_path_factory.mktemp("library") / "town.db")) as library:
        library.add(str(folder), name="town")
        lines = [{"id": id, "quote": each["quote"], "path": each["page"]} for id, each in zip(IDS, QUOTES, strict=True)]
        found = {check.id: check for check in library.verify_quotes(lines)}
        texts = {check.document: library.document(check.document).text for check in found.values() if check.document}
        yield {id: (check, texts.get(check.document or "", "")) for id, check in found.items()}


@pytest.mark.parametrize("at", range(len(QUOTES)), ids=IDS)
def test_a_quote_of_the_town_is_accepted_or_refused(checked: dict[str, tuple[QuoteCheck, str]], at: int) -> None:
    each = QUOTES[at]
    check, text = checked[IDS[at]]
    assert check.accepted is each["holds"], check
    if check.accepted:
        assert check.text
        assert check.text == text[check.start : check.end]
    elif check.status == "unverified" and "too_short" not in check.vetoes:
        assert check.verdict in NAMED.get(each["kind"], {check.verdict})


def test_the_town_has_pages_of_every_kind_and_more_wrong_quotes_than_right_ones() -> None:
    assert {"code", "table", "cjk", "negation", "condition", "ellipsis", "splice", "number", "unit"} <= {e["kind"] for e in QUOTES}
    assert sum(not e["holds"] for e in QUOTES) > sum(e["holds"] for e in QUOTES) > 350
