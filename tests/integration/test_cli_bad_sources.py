"""Sources and questions that can't be used as they are: a clear error, the right exit code, nothing lost.

In: files and a local site that misbehaves. Out: exit codes, messages, reports.
"""

from __future__ import annotations

import json
import threading
import time
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

HTML = "<!doctype html><title>{0}</title><main><h1 id=top>{0}</h1><p>{1}</p></main>"
WORDS = "The harbour master keeps a ledger of every vessel that enters the basin, and reads it aloud at noon. "


def test_missing_path_is_named(call: Any) -> None:
    ran = call("add", "nowhere/at-all")
    assert ran.code == 4
    assert "nowhere/at-all" in ran.said


def test_folder_without_a_file_is_nothing_to_add(call: Any, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = call("add", "empty")
    assert ran.code == 2
    assert "empty" in ran.said


def test_unreadable_file_fails_alone(call: Any, guide: Path, child: Any) -> None:
    (guide / "secret.md").write_text("# Secret\n\nNobody may read this.\n")
    (guide / "secret.md").chmod(0)
    ran = child("add", "guide", "--json", limited=True)
    report = json.loads(ran.out)
    assert (ran.code, report["fetched"]) == (1, 1)
    assert [page["url"].rsplit("/", 1)[1] for page in report["pages"] if page["outcome"] == "failed"] == ["secret.md"]
    alone = child("add", "guide/secret.md", limited=True)
    assert alone.code in (1, 4)
    assert "secret.md" in alone.out + alone.err


def test_binary_file_is_refused_by_name_and_skipped_in_a_folder(call: Any, guide: Path) -> None:
    (guide / "blob.md").write_bytes(bytes(range(256)) * 40)
    named = call("add", "guide/blob.md")
    assert named.code == 1
    assert "blob.md" in named.out
    folder = call("add", "guide", "--json")
    report = json.loads(folder.out)
    assert (folder.code, report["fetched"], sum(report["skipped"].values())) == (0, 1, 1)


def test_page_that_is_not_there_exits_with_4(call: Any, site: Any) -> None:
    ran = call("add", site.url + "gone", "--allow-private", site.address)
    assert ran.code == 4
    assert "404" in ran.said


def test_dead_link_is_a_line_of_the_report(call: Any, site: Any) -> None:
    site.html("/", HTML.format("Start", WORDS * 4 + '<a href="/gone">gone</a> <a href="/there">there</a>'))
    site.html("/there", HTML.format("There", WORDS * 4))
    ran = call("add", site.url, "--allow-private", site.address, "--json")
    report = json.loads(ran.out)
    assert (ran.code, report["wanted"], report["fetched"]) == (1, 3, 2)
    assert [(p["url"], p["outcome"]) for p in report["pages"] if p["url"].endswith("/gone")] == [(site.url + "gone", "failed")]


def test_unknown_host_exits_with_4(call: Any) -> None:
    ran = call("add", "https://no-such-host.example.org/")
    assert ran.code == 4
    assert "no-such-host.example.org" in ran.said


def test_loopback_is_refused_unless_it_is_allowed(call: Any, site: Any) -> None:
    site.html("/", HTML.format("Start", WORDS * 4))
    ran = call("add", site.url)
    assert ran.code == 3
    assert "--allow-private" in ran.said
    assert site.served == []


def test_robots_refuse_the_start(call: Any, site: Any) -> None:
    site.html("/robots.txt", "User-agent: *\nDisallow: /private/\n", "text/plain")
    site.html("/private/", HTML.format("Private", WORDS * 4))
    ran = call("add", site.url + "private/", "--allow-private", site.address)
    assert ran.code == 3
    assert "robots" in ran.said
    assert "/private/" not in site.served


def test_host_that_hangs_is_left_at_the_deadline(call: Any, site: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_TIMEOUT_S", "1")
    stop = threading.Event()
    site.html("/robots.txt", "", "text/plain")
    site.pages["/"] = lambda request: [stop.wait(20)].clear()
    started = time.monotonic()
    ran = call("add", site.url, "--allow-private", site.address)
    stop.set()
    assert ran.code == 4
    assert time.monotonic() - started < 15
    assert ran.said


def test_page_of_50_megabytes_is_cut_off_and_reported(call: Any, site: Any) -> None:
    sent = [0]

    def flood(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", "text/html; charset=utf-8")
        request.end_headers()
        request.wfile.write(b"<title>Flood</title><p>")
        block = (WORDS * 700).encode()
        while sent[0] < 50 * 1024 * 1024:
            request.wfile.write(block)
            sent[0] += len(block)

    site.pages["/flood"] = flood
    site.html("/", HTML.format("Start", WORDS * 4 + '<a href="/flood">flood</a>'))
    ran = call("add", site.url, "--allow-private", site.address, "--json")
    report = json.loads(ran.out)
    reasons = {page["url"]: page["reason"] for page in report["pages"]}
    assert ran.code == 1
    assert "large" in reasons[site.url + "flood"]
    assert sent[0] < 40 * 1024 * 1024
    assert call("verify").code == 0


@pytest.mark.parametrize("charset", ["klingon", "", "utf-8"], ids=["unknown", "none", "wrong"])
def test_unknown_encoding_still_gives_the_text(call: Any, site: Any, charset: str) -> None:
    text = WORDS * 4 + "Der Hafenmeister prüft täglich die Größe der Fässer, öffnet Türen und zählt Gäste. " * 4
    body = HTML.format("Hafen", text)
    site.html("/", body, "text/html" + (f"; charset={charset}" if charset else ""), "utf-8" if charset == "klingon" else "windows-1252")
    ran = call("add", site.url, "--allow-private", site.address)
    assert ran.code == 0, ran.err
    found = json.loads(call("search", "Hafenmeister Fässer", "--json").out)["passages"]
    assert "prüft täglich die Größe" in found[0]["text"]


@pytest.mark.parametrize("question", ["", "   ", "\n\t"], ids=["nothing", "blanks", "white space"])
@pytest.mark.parametrize("command", ["search", "ask"])
def test_empty_question_is_a_wrong_call(call: Any, command: str, question: str, guide: Path) -> None:
    assert call("add", "guide").code == 0
    ran = call(command, question)
    assert ran.code == 2
    assert "empty" in ran.said


def test_chinese_question_finds_chinese_text_and_nothing_in_english(call: Any, guide: Path) -> None:
    assert call("add", "guide").code == 0
    ran = call("ask", "如何绕过缓存？", "--json")
    assert ran.code == 1
    assert json.loads(ran.out)["abstained"] is True
    (guide / "zh.md").write_text("# 缓存\n\n## 绕过缓存\n\n调用时传入 `cache=False` 即可绕过缓存，页面会重新获取。\n", "utf-8")
    assert call("add", "guide").code == 0
    found = json.loads(call("search", "如何绕过缓存？", "--json").out)["passages"]
    assert found[0]["path"] == "zh.md"
    answer = json.loads(call("ask", "如何绕过缓存？", "--json").out)
    assert answer["abstained"] is False
    assert "绕过缓存" in answer["markdown"]


def test_rules_that_are_not_there_are_a_wrong_call(call: Any, guide: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_SELECTORS", "nowhere.yaml")
    ran = call("add", "guide")
    assert ran.code == 2
    assert "nowhere.yaml" in ran.said
