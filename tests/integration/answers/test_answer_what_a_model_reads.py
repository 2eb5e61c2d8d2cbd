"""In: a library of pages with marks and links, a scripted model. Out: what the model was shown, and in which order."""

from __future__ import annotations

import re
from pathlib import Path

from pincite.library import Library
from pincite.settings import Settings

LAMPS = """# Lamps

## Trimming

The *wick* of a lamp is trimmed by [the keeper](https://example.org/keeper) every 12 hours with `lamp.trim()`.

## List of lamps

- [Trimming](https://example.org/trimming) a wick of a lamp
- [Lighting](https://example.org/lighting) a wick of a lamp
- [Cleaning](https://example.org/cleaning) a wick of a lamp
- [Trimming tools](https://example.org/tools) for a wick of a lamp
"""
QUESTION = "How often is the wick of a lamp trimmed?"
QUOTE = "The wick of a lamp is trimmed by the keeper every 12 hours with lamp.trim()."


def test_a_model_reads_what_a_reader_sees_and_its_quotes_hold(tmp_path: Path, model_server, say) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamps.md").write_text(LAMPS, "utf-8")
    script = model_server(say((QUOTE, "A wick is trimmed every 12 hours.")))
    with Library(str(tmp_path / "l.db"), settings=Settings(llm_url=script.url, model="m", llm_retries=0)) as library:
        library.add(str(tmp_path / "docs"))
        plain = library.search(QUESTION)
        answer = library.ask(QUESTION)
    prompt = script.asked[0]["messages"][-1]["content"]
    shown = re.findall(r"<<<passage p\d+ \w+>>>\n\(from:.*?\)\n(.*?)\n<<<end", prompt, re.S)
    assert QUOTE in shown[0]
    assert not any("](" in text or "https://" in text for text in shown)
    assert any("](" in passage.text for passage in plain)
    assert [c.visible for c in answer.citations] == [QUOTE]
    assert "[the keeper](https://example.org/keeper)" in answer.citations[0].quote


def test_a_model_reads_first_what_an_answer_without_it_quotes_first(tmp_path: Path, model_server, say) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lamps.md").write_text(LAMPS, "utf-8")
    (tmp_path / "docs" / "horn.md").write_text("# Horn\n\nThe horn of the lamp house sounds twice a minute in fog.\n", "utf-8")
    script = model_server(say((QUOTE, "A wick is trimmed every 12 hours.")))
    with Library(str(tmp_path / "l.db"), settings=Settings(llm_url=script.url, model="m", llm_retries=0)) as library:
        library.add(str(tmp_path / "docs"))
        library.ask(QUESTION)
    with Library(str(tmp_path / "l.db")) as library:
        first = library.ask(QUESTION).citations[0].visible
    prompt = script.asked[0]["messages"][-1]["content"]
    assert first in re.search(r"<<<passage p1 \w+>>>\n\(from:.*?\)\n(.*?)\n<<<end", prompt, re.S)[1]
