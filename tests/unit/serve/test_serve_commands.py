"""Commands against a fake library: what they print, where, and with which exit code."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pincite.errors import Refused, SourceError, StoreError
from pincite.types import Finding


@pytest.mark.parametrize("arguments", [("--store", "x.db", "sources"), ("sources", "--store", "x.db")], ids=["before", "after"])
def test_global_options_stand_before_or_after_the_command(run: Any, fake: Any, arguments: tuple[str, ...]) -> None:
    assert run(*arguments).code == 0
    assert fake.calls[0] == ("open", ("x.db", False))


def test_passage_json_has_the_documented_keys(run: Any) -> None:
    shape = run("search", "cache", "--json").json
    assert list(shape) == ["query", "passages", "unknown_terms"]
    wanted = (
        "id rank score scores kind ref source version path url title heading symbol paragraph line start end text context "
        "fetched_at snapshot lang language mark drift flags"
    )
    assert set(wanted.split()) <= set(shape["passages"][0])
    assert shape["passages"][0]["fetched_at"] == "2026-11-30T12:00:00.123Z"


def test_search_prints_heading_place_snippet_and_code(run: Any) -> None:
    out = run("search", "cache").out
    for part in ("Cache › Bypass", "cache.md:7", "Pass `cache=False` to bypass it.", "REF-7k3m9q"):
        assert part in out


def test_search_without_a_hit_exits_with_1_and_names_the_unknown_word(run: Any, fake: Any) -> None:
    fake.passages = ()
    ran = run("search", "frobnicate")
    assert ran.code == 1
    assert "frobnicate" in ran.out


def test_filters_reach_the_library_as_values(run: Any, fake: Any) -> None:
    run(
        "search",
        "q",
        "--kind",
        "code",
        "--source",
        "a",
        "--source",
        "b",
        "--score-ratio",
        "0",
        "--max-results",
        "60",
        "--as-of",
        "2026-11-30",
    )
    query, options = fake.calls[1][1]
    assert query == "q"
    assert (options["kind"], options["source"], options["score_ratio"], options["max_results"]) == ("code", ("a", "b"), 0, 60)
    assert options["as_of"] == datetime(2026, 11, 30, 23, 59, 59, 999000, UTC)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        pytest.param("2026-11-30T12:00:00Z", datetime(2026, 11, 30, 12, tzinfo=UTC), id="zulu"),
        pytest.param("2026-11-30T12:00:00+02:00", datetime(2026, 11, 30, 10, tzinfo=UTC), id="offset"),
        pytest.param("2026-11-30 12:00", datetime(2026, 11, 30, 12, tzinfo=UTC), id="no zone is UTC"),
    ],
)
def test_as_of_reads_iso_times(run: Any, fake: Any, text: str, moment: datetime) -> None:
    assert run("search", "q", "--as-of", text).code == 0
    assert fake.calls[1][1][1]["as_of"] == moment


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("search", "q", "--as-of", "yesterday"), id="no time"),
        pytest.param(("search", "q", "--score-ratio", "2"), id="share above 1"),
        pytest.param(("search", "q", "--max-results", "0"), id="no results wanted"),
        pytest.param(("search", ""), id="empty question"),
        pytest.param(("search",), id="no question"),
        pytest.param(("frobnicate",), id="unknown command"),
        pytest.param(("add",), id="nothing to add"),
        pytest.param(("add", "a", "b", "--name", "x"), id="one name for two sources"),
        pytest.param(("show", "REF-zzzzzz"), id="unknown code"),
        pytest.param(("show", "17"), id="no id"),
        pytest.param(("sources", "--config", "missing.toml"), id="missing settings file"),
    ],
)
def test_a_wrong_call_exits_with_2_and_says_why_on_stderr(run: Any, arguments: tuple[str, ...]) -> None:
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.strip()


@pytest.mark.parametrize(
    ("error", "code"),
    [
        pytest.param(Refused("robots.txt forbids it", rule="robots"), 3, id="robots"),
        pytest.param(Refused("The library is read-only", rule="read_only"), 3, id="read-only store"),
        pytest.param(SourceError("no such host"), 4, id="DNS"),
        pytest.param(StoreError("locked"), 4, id="locked"),
        pytest.param(OSError(28, "No space left on device"), 4, id="full disk"),
        pytest.param(KeyboardInterrupt(), 130, id="Ctrl-C"),
    ],
)
def test_errors_become_exit_codes(run: Any, fake: Any, error: BaseException, code: int) -> None:
    fake.error = error
    ran = run("add", "https://e.org/")
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.strip()


def test_error_is_problem_details_with_json(run: Any, fake: Any) -> None:
    fake.error = Refused("robots.txt forbids it", rule="robots", url="https://e.org/")
    ran = run("add", "https://e.org/", "--json")
    shape = json.loads(ran.err)
    assert (shape["status"], shape["rule"], shape["url"]) == (403, "robots", "https://e.org/")


def test_interruption_says_where_to_see_what_is_missing(run: Any, fake: Any) -> None:
    fake.error = KeyboardInterrupt()
    assert "pincite status" in run("add", "https://e.org/").err


@pytest.mark.parametrize(
    ("changes", "kind", "code"),
    [
        pytest.param({"wanted": 100, "fetched": 98, "failed": {"404": 2}}, "site", 0, id="2 of 100 failed"),
        pytest.param({"wanted": 100, "fetched": 90, "failed": {"404": 10}}, "site", 1, id="10 of 100 failed"),
        pytest.param({"wanted": 1, "fetched": 0, "failed": {"404": 1}}, "page", 4, id="the page is not there"),
        pytest.param({"wanted": 1, "fetched": 0, "failed": {"binary": 1}}, "file", 1, id="every named file failed"),
        pytest.param({"wanted": 1, "fetched": 0, "failed": {}, "skipped": {"robots": 1}}, "site", 3, id="robots forbids the start"),
        pytest.param({"wanted": 0, "fetched": 0, "failed": {}}, "folder", 2, id="an empty folder"),
        pytest.param({"wanted": 9, "fetched": 0, "unchanged": 9, "failed": {}}, "folder", 0, id="nothing changed"),
    ],
)
def test_coverage_decides_the_exit_code(run: Any, fake: Any, changes: dict[str, Any], kind: str, code: int) -> None:
    fake.report, fake.kind = replace(fake.report, **changes), kind
    assert run("add", "x").code == code


def test_coverage_is_printed_as_a_table_and_as_json(run: Any) -> None:
    out = run("add", "https://e.org/").out
    assert "wanted" in out
    assert "https://e.org/b  (404)" in out
    shape = run("add", "https://e.org/", "--json").json
    assert (shape["wanted"], shape["failed"], shape["pages"][1]["outcome"]) == (2, {"404": 1}, "failed")


def test_policy_options_reach_the_library(run: Any, fake: Any) -> None:
    run("add", "x", "--scope", "host", "--max-pages", "7", "--delay", "0", "--allow-private", "127.0.0.1:8000", "--include", "*.md")
    policy = fake.calls[1][1][1]["policy"]
    assert (policy.scope, policy.max_pages, policy.delay_s) == ("host", 7, 0)
    assert (policy.allow_private, policy.include, policy.concurrency) == (("127.0.0.1:8000",), ("*.md",), 4)


def test_progress_is_silent_where_stderr_is_no_terminal(run: Any) -> None:
    assert run("add", "x").err == ""
    assert "failed    https://e.org/b  (404)" in run("add", "x", "-v").err


def test_abstained_answer_exits_with_1(run: Any, fake: Any) -> None:
    assert run("ask", "q").code == 0
    fake.answer = replace(fake.answer, abstained=True)
    assert run("ask", "q").code == 1


def test_ask_prints_markdown_and_takes_its_options(run: Any, fake: Any) -> None:
    ran = run("ask", "q", "--quotes", "--notes", "inline", "--kind", "doc")
    assert ran.out == "Pass `cache=False`.[^1]\n\n[^1]: Cache\n"
    _, options, filters = fake.calls[1][1]
    assert (options.quotes, options.notes, filters["kind"]) == (True, "inline", "doc")


def test_queries_file_gives_a_line_a_question_and_names_bad_lines(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "q.jsonl"
    file.write_text('{"query": "first"}\nno json\n\n{"query": " "}\n["query"]\n{"query": "如何绕过缓存", "id": 7}\n', "utf-8")
    ran = run("search", "--queries", str(file))
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [line["query"] for line in lines] == ["first", "如何绕过缓存"]
    assert "如何绕过缓存" in ran.out
    assert re.findall(r"q\.jsonl:(\d+): ", ran.err) == ["2", "4", "5"]
    assert ran.code == 1


def test_queries_and_a_question_exclude_each_other(run: Any, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"query": "first"}\n', "utf-8")
    assert run("ask", "q", "--queries", str(tmp_path / "q.jsonl")).code == 2


def test_missing_library_exits_with_4(run: Any) -> None:
    assert run("search", "q", missing=True).code == 4


def test_verify_exits_with_1_when_something_is_wrong(run: Any, fake: Any) -> None:
    assert run("verify").code == 0
    fake.findings = (Finding("blob", "sha256:00", "digest differs"),)
    ran = run("verify", "--json")
    assert ran.code == 1
    assert ran.json["findings"][0]["subject"] == "sha256:00"


def test_raw_bytes_come_out_as_they_are(run: Any) -> None:
    assert run("show", "REF-7k3m9q", "--raw").out.encode("utf-8", "surrogateescape") == b"\xff\x00raw"


@pytest.mark.parametrize("command", ["sources", "status", "doctor"])
def test_lists_are_json_on_one_line(run: Any, command: str) -> None:
    ran = run(command, "--json")
    assert ran.json
    assert ran.out.count("\n") == 1


def test_refresh_asks_for_every_source_and_retry_for_one(run: Any, fake: Any) -> None:
    assert run("refresh", "--json").json["source"] == "guide"
    run("retry", "guide")
    called = [(name, arguments[0]) for name, arguments in fake.calls if name in ("refresh", "retry")]
    assert called == [("refresh", "guide"), ("retry", "guide")]


def test_secrets_go_to_the_library_beside_the_policy(run: Any, fake: Any, tmp_path: Path) -> None:
    (tmp_path / "cookies.txt").write_text("kept apart")
    run("add", "https://e.org/", "--header", "Authorization: Bearer x", "--cookies", str(tmp_path / "cookies.txt"))
    options = fake.calls[1][1][1]
    assert (options["headers"], options["cookies"]) == (("Authorization: Bearer x",), "kept apart")
    assert run("refresh", "--header", "A: b").code == 2


def test_domains_of_a_file_join_those_of_the_command(run: Any, fake: Any, tmp_path: Path) -> None:
    (tmp_path / "allowed.txt").write_text("# ours\ndocs.e.org\n\nb.org # theirs\n")
    run("add", "x", "--allow", "a.org", "--allow-file", str(tmp_path / "allowed.txt"))
    assert fake.calls[1][1][1]["policy"].allow == ("a.org", "docs.e.org", "b.org")


def test_quotes_are_checked_a_line_each(run: Any, tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('{"id": "a", "quote": "held"}\n{"id": "b"}\n{"quote": "not held"}\n')
    ran = run("verify", "--quotes", str(tmp_path / "q.jsonl"))
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert [(line["id"], line["status"]) for line in lines] == [("a", "exact"), ("3", "unverified")]
    assert "q.jsonl:2" in ran.err
    assert ran.code == 1


def test_answer_whose_note_is_refused_exits_with_1(run: Any, tmp_path: Path) -> None:
    (tmp_path / "answer.md").write_text("Something.[^1]\n")
    ran = run("verify", str(tmp_path / "answer.md"))
    assert ran.code == 1
    assert "REFUSED" in ran.out
    assert run("verify", str(tmp_path / "missing.md")).code == 4
