"""In: documents that hold all of their page, or a part. Out: the warning that `extract` prints."""

from __future__ import annotations

import types
from pathlib import Path

import pytest

from pincite.serve import extracting
from pincite.settings import Settings


@pytest.mark.parametrize(
    ("retention", "flags", "says"),
    [
        pytest.param(1.0, (), "", id="all there"),
        pytest.param(0.9, ("noindex",), "", id="enough there"),
        pytest.param(0.5, (), "only 50% of the words in its main part are in the text (rule sphinx)", id="half there"),
        pytest.param(1.0, ("too-complex",), "the page is too complex; only a part of it was read", id="cut"),
    ],
)
def test_warning_says_what_may_be_missing(retention: float, flags: tuple[str, ...], says: str) -> None:
    document = types.SimpleNamespace(retention=retention, flags=flags, rule="sphinx")
    assert extracting.warning(document) == says  # type: ignore[arg-type]


def test_file_past_a_cap_is_printed_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>w</p>" * 30_000)
    (page,) = extracting.local(extracting.pages(str(tmp_path)), "text", ids=False, settings=Settings())
    assert page.text.startswith("w\n")
    assert page.warning.startswith("the page is too complex")
