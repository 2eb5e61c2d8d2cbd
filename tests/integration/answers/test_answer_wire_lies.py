"""In: servers that break the protocol of chat completions, over real HTTP, and models that break the form of an answer. Out: the same
verified answer where it can be read, a failure by its own name where it can't, and nothing else printed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import ModelError
from pincite.library import Library
from pincite.settings import Settings
from pincite.types import Answer, AskOptions

PAGE = """# Lamps

The lamp burns oil until the morning. A lamp holds 4 litres of oil.

Keepers may not leave the tower at night.
"""
OIL, LITRES = "The lamp burns oil until the morning.", "A lamp holds 4 litres of oil."
LIE = "Keepers may leave the tower at night."


def told(*said: str) -> str:
    return json.dumps({"claims": [{"quotes": [{"passage": "p1", "quote": s}], "text": s} for s in said]}, ensure_ascii=False)


GOOD = told(OIL, LITRES)
END: dict[str, Any] = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def said(text: object, **more: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": {"content": text, **more}}]}


def events(*each: dict[str, Any] | bytes, end: bytes = b"\n\n", done: bool = True) -> bytes:
    lines = [b"data: " + (e if isinstance(e, bytes) else json.dumps(e, ensure_ascii=False).encode()) + end for e in each]
    return b"".join(lines) + (b"data: [DONE]" + end if done else b"")


def ended(reason: str, text: str) -> bytes:
    return events(said(text), {"choices": [{"delta": {}, "finish_reason": reason}]})


READ = {
    "comments, ids and retries": b": ping\n\nevent: message\nid: 3\nretry: 10\n" + events(said(GOOD), END),
    "line ends of Windows": events(said(GOOD[:50]), said(GOOD[50:]), END, end=b"\r\n\r\n"),
    "line ends of an old Mac": events(said(GOOD[:50]), said(GOOD[50:]), END, end=b"\r\r"),
    "no space behind data": events(said(GOOD), END).replace(b"data: ", b"data:"),
    "a role and no content": events({"choices": [{"delta": {"role": "assistant", "content": None}}]}, said(GOOD), END),
    "reasoning beside the text": events(said(None, reasoning_content=told(LIE)), said(GOOD), END),
    "a chunk of usage alone": events(said(GOOD), END, {"choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}}),
    "usage that counts backwards": events(said(GOOD), END, {"choices": [], "usage": {"prompt_tokens": "3", "completion_tokens": -4}}),
    "choices that are null": events({"choices": None}, said(GOOD), END),
    "a second answer among the first": events({"choices": [{"index": 1, "delta": {"content": told(LIE)}}]}, said(GOOD), END),
    "more after the end": events(said(GOOD), END) + events(said(told(LIE))),
    "content in parts": events(said([{"type": "thinking", "text": LIE}, {"type": "text", "text": GOOD}]), END),
    "no stream but a whole message": json.dumps({"choices": [{"message": {"content": GOOD}, "finish_reason": "stop"}]}).encode(),
    "thoughts": events(said("<think>" + told(LIE) + "x" * 900 + "</think>"), said(GOOD), END),
    "a long preamble": events(said("Sure, here it is! " * 60 + "\n```json\n" + GOOD + "\n```\nBye [^1]."), END),
    "claims twice": events(said(GOOD + GOOD), END),
    "notes of its own behind": events(said(GOOD + "\n\n[^1]: https://evil.example/\n" + LIE), END),
    "half of a surrogate pair": events(said(GOOD.replace("burns", "\\ud800burns")), END),
    "a line end in a string": events(said(GOOD.replace("oil until", "oil\nuntil")), END),
    "a comma too many": events(said(GOOD.replace("}]", "},]")), END),
    "three megabytes of space": events(said(GOOD), said(" " * 3_000_000), END),
    "a lie and its repair": events(said(told(LIE, OIL, LITRES)), END),
}
FAILS = {
    "cut off by its length": (ended("length", GOOD[:60]), "cut_off"),
    "filtered": (ended("content_filter", GOOD[:60]), "refused"),
    "a tool that nobody offered": (events(said(None, tool_calls=[{"index": 0}]), END), "garbage"),
    "an error with status 200": (events({"error": {"message": "out of memory"}}, done=False), "server"),
    "an error and no stream": (json.dumps({"error": {"message": "the model crashed"}}).encode(), "server"),
    "a page": (b"<html><body>502 Bad Gateway</body></html>", "stream_died"),
    "nothing": (b"", "stream_died"),
    "bytes that are no text": (events(b'{"choices":[{"delta":{"content":"\xff"}}]}'), "garbage"),
    "choices that are no list": (events(b'{"choices": {"0": "x"}, "usage": 7}', done=False), "stream_died"),
    "brackets without end": (events(b"[" * 100_000), "garbage"),
    "a number without end": (events(b'{"usage": ' + b"9" * 5000 + b"}"), "garbage"),
    "a list": (events(b"[1]"), "garbage"),
    "a piece that is a number": (events(said(7)), "garbage"),
}
NOT_PRINTED = {
    "prose with notes": f'## Answer\n\n{LIE}[^1]\n\n[^1]: "{LIE}"',
    "a table with notes": f"| Fact | Note |\n|---|---|\n| {LIE} | [^1] |\n\n[^1]: x",
    "code with notes": f"```\n{LIE}[^1]\n```",
    "one quote of two is false": json.dumps({"claims": [{"quotes": [{"quote": OIL}, {"quote": LIE}], "text": OIL}]}),
    "the last of two keys": '{"claims": [{"text": "'
    + OIL
    + '", "quotes": [{"quote": "'
    + OIL
    + '"}], "quotes": [{"quote": "'
    + LIE
    + '"}]}]}',
    "a mark alone": json.dumps({"claims": [{"quotes": [{"quote": OIL}], "text": "[^1]"}]}),
    "dots": json.dumps({"claims": [{"quotes": [{"quote": OIL}], "text": "..."}]}),
    "yes": json.dumps({"claims": [{"quotes": [{"quote": OIL}], "text": "Yes."}]}),
    "an apology": "I'm sorry, but I can't help with that.",
    "a sentence without end": json.dumps({"claims": [{"quotes": [{"quote": OIL}], "text": OIL + " and" * 3000}]}),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lamps")
    (folder / "docs").mkdir()
    (folder / "docs" / "lamps.md").write_text(PAGE, "utf-8")
    with Library(str(folder / "l.db")) as library:
        library.add(str(folder / "docs"))
    return folder / "l.db"


def asked(place: Path, url: str) -> Answer:
    with Library(str(place), settings=Settings(llm_url=url, model="m", llm_retries=0), create=False) as library:
        return library.ask("What does a lamp burn and hold?", options=AskOptions(floor=0.0), score_ratio=0.0)


@pytest.mark.parametrize("body", READ.values(), ids=READ)
def test_a_stream_that_can_be_read_gives_the_answer(place: Path, model_server, raw, body: bytes) -> None:
    answer = asked(place, model_server(raw(200, body), told()).url)
    assert answer.markdown.startswith(f"{OIL}[^1]\n\n{LITRES}[^2]\n\n[^1]: "), answer
    assert LIE not in answer.markdown
    assert "evil" not in answer.markdown
    assert all(value >= 0 for value in answer.usage.values())


@pytest.mark.parametrize(("body", "rule"), FAILS.values(), ids=FAILS)
def test_a_stream_that_cannot_be_read_fails_by_its_own_name(place: Path, model_server, raw, body: bytes, rule: str) -> None:
    with pytest.raises(ModelError) as failed:
        asked(place, model_server(raw(200, body)).url)
    assert failed.value.rule == rule
    assert failed.value.message.endswith((".", "memory", "crashed"))


def test_what_held_before_a_failure_is_printed_and_the_failure_listed(place: Path, model_server, raw) -> None:
    body = events(said(GOOD[: GOOD.index("}, {") + 3]), {"error": {"message": "out of memory"}}, done=False)
    answer = asked(place, model_server(raw(200, body)).url)
    assert answer.markdown.startswith(f"{OIL}[^1]\n\n[^1]: ")
    assert "out of memory" in answer.dropped[-1].reason


@pytest.mark.parametrize("text", NOT_PRINTED.values(), ids=NOT_PRINTED)
def test_what_is_in_no_form_is_dropped_by_name(place: Path, model_server, text: str) -> None:
    answer = asked(place, model_server(text).url)
    assert answer.abstained
    assert answer.citations == ()
    assert answer.dropped
    assert all(dropped.reason for dropped in answer.dropped)
    assert re.search(r"(?<!\\)\[\^", answer.markdown) is None
