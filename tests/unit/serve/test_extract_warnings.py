"""In: documents that hold all of their page, or a part. Out: the warning that `extract` prints."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.errors import UsageError
from pincite.library import Library
from pincite.serve import extracting
from pincite.serve.session import Progress, Session
from pincite.settings import Settings
from pincite.types import Document, Policy


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
    whole = Document("d", "s", "u", "doc", "", "", (), (), "html@1", retention=retention, flags=flags, rule="sphinx")
    assert whole.warning == says


def test_capture_warns_of_pages_that_lost_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.html").write_text("<p>w</p>" * 30_000)
    progress = Progress(Session(), "a")
    with Library(str(tmp_path / "l.db")) as library:
        library.add(str(tmp_path / "a.html"), progress=progress)
    progress.done()
    assert "a.html: the page is too complex; only a part of it was read" in capsys.readouterr().err


def test_file_past_a_cap_is_printed_with_a_warning(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<p>w</p>" * 30_000)
    (page,) = extracting.local(extracting.pages(str(tmp_path)), "text", ids=False, settings=Settings(), policy=Policy())
    assert page.text.startswith("w\n")
    assert page.warning.startswith("the page is too complex")


def test_selectors_of_the_command_come_before_all_rules(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        "<main><p>What the rules would take of this page.</p></main>"
        "<div class=mine><p>My own choice of words.</p><p class=no>Not this.</p></div>"
    )
    mine = Policy(selector=".mine", exclude_selector=".no")
    (page,) = extracting.local(extracting.pages(str(tmp_path)), "text", ids=False, settings=Settings(), policy=mine)
    assert page.text == "My own choice of words.\n"
    with pytest.raises(UsageError, match="can't be read"):
        list(extracting.local(extracting.pages(str(tmp_path)), "text", ids=False, settings=Settings(), policy=Policy(selector="div[")))
