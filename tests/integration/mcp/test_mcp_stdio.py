"""`pincite mcp`: the protocol on stdin and stdout."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")

HELLO = {
    "jsonrpc": "2.0",
    "id": "hello",
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}
READY = {"jsonrpc": "2.0", "method": "notifications/initialized"}


def talk(place: str, *messages: dict[str, Any] | str, options: tuple[str, ...] = ()) -> tuple[list[dict[str, Any]], str, int]:
    """Send the messages, close stdin, and return what came back on stdout, stderr and the exit code."""
    lines = "".join((m if isinstance(m, str) else json.dumps(m)) + "\n" for m in messages)
    run = subprocess.run(
        [sys.executable, "-m", "pincite", "mcp", "--store", place, *options],
        input=lines.encode(),
        capture_output=True,
        timeout=120,
        check=False,
    )
    return [json.loads(line) for line in run.stdout.splitlines()], run.stderr.decode(), run.returncode


def call(id: Any, tool: str, /, **arguments: Any) -> dict[str, Any]:
    """Return a call of a tool."""
    return {"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def by_id(answers: list[dict[str, Any]]) -> dict[Any, dict[str, Any]]:
    """Return the answers by the id of their request."""
    return {answer["id"]: answer for answer in answers if "id" in answer}


@pytest.fixture(scope="module")
def told(place: str) -> dict[Any, dict[str, Any]]:
    """Return the answers of one session that calls everything."""
    answers, errors, code = talk(
        place,
        HELLO,
        READY,
        {"jsonrpc": "2.0", "id": "tools", "method": "tools/list"},
        call("ask", "ask", query="Which cron expression does the schedule take?"),
        call("code", "ask", query="Kettle.schedule", context_type="code"),
        call("none", "ask", query="zebra migration"),
        call("whole", "ask"),
        call("answer", "answer", query="When must I never descale?"),
        call("sources", "list_sources"),
        call("true", "verify", quote="Never descale while a schedule is running."),
        call("false", "verify", quote="Always descale while a schedule is running."),
        call("file", "add_source", location="/etc/passwd"),
        call("private", "get_passage", id="REF-000000"),
        call("unknown job", "job_status", job="job_0"),
        call("bad", "ask", query="x", surprise=True),
        call("no tool", "rm"),
        {"jsonrpc": "2.0", "id": "resources", "method": "resources/list"},
        {"jsonrpc": "2.0", "id": "templates", "method": "resources/templates/list"},
        {"jsonrpc": "2.0", "id": "missing", "method": "resources/read", "params": {"uri": "pincite://snapshot/REF-000000"}},
        {"jsonrpc": "2.0", "id": "prompts", "method": "prompts/list"},
        {"jsonrpc": "2.0", "id": "prompt", "method": "prompts/get", "params": {"name": "cited_answer", "arguments": {"question": "why?"}}},
        {"jsonrpc": "2.0", "id": "ping", "method": "ping"},
        "this is no JSON",
        "",
    )
    assert code == 0, errors
    return by_id(answers)


def test_every_line_on_stdout_is_a_message_and_each_request_is_answered_once(place: str) -> None:
    answers, _, code = talk(place, HELLO, READY, *(call(i, "list_sources") for i in range(20)))
    assert code == 0
    assert sorted(str(a["id"]) for a in answers) == sorted(["hello", *map(str, range(20))])
    assert all(a["jsonrpc"] == "2.0" for a in answers)


def test_ask_finds_prose_with_its_place(told: dict[Any, dict[str, Any]]) -> None:
    found = told["ask"]["result"]["structuredContent"]["doc_results"][0]
    assert "cron expression" in found["text"]
    assert found["ref"].startswith("REF-")
    assert found["heading"][-1] == "Schedules"
    assert found["ref"] in told["ask"]["result"]["content"][0]["text"]


def test_ask_finds_code(told: dict[Any, dict[str, Any]]) -> None:
    result = told["code"]["result"]["structuredContent"]
    assert "def schedule" in result["code_results"][0]["text"]
    assert "doc_results" not in result


def test_what_the_library_does_not_know_is_an_empty_list_and_no_error(told: dict[Any, dict[str, Any]]) -> None:
    result = told["none"]["result"]
    assert result["structuredContent"]["doc_results"] == []
    assert "zebra" in result["structuredContent"]["unknown_terms"]
    assert not result.get("isError")


def test_without_a_query_the_beginning_of_the_whole_comes_within_the_budget(told: dict[Any, dict[str, Any]]) -> None:
    from pincite.serve.mcp_fit import cost

    result = told["whole"]["result"]
    assert result["structuredContent"]["doc_context"].startswith("## File: guide.md")
    assert "Send `query`" in result["content"][0]["text"]
    assert cost(result) <= 6000


def test_answer_is_cited_with_full_records(told: dict[Any, dict[str, Any]]) -> None:
    result = told["answer"]["result"]["structuredContent"]
    assert "[^1]" in result["markdown"]
    assert result["citations"][0]["verification"]["status"] == "exact"
    assert result["citations"][0]["quote"]["text"] in GUIDE_TEXT


GUIDE_TEXT = "Run `kettle descale` once a month. Never descale while a schedule is running."


def test_sources_are_listed(told: dict[Any, dict[str, Any]]) -> None:
    assert [s["source"] for s in told["sources"]["result"]["structuredContent"]["sources"]] == ["kettle"]


def test_a_true_quote_is_verified_and_a_turned_one_is_not(told: dict[Any, dict[str, Any]]) -> None:
    true, false = (told[name]["result"]["structuredContent"] for name in ("true", "false"))
    assert (true["status"], true["verdict"]) == ("exact", "exact")
    assert true["text"] == "Never descale while a schedule is running."
    assert false["status"] not in ("exact", "normalized", "elided")


@pytest.mark.parametrize(
    ("id", "word"), [("file", "can't be added"), ("private", "REF-000000"), ("unknown job", "job_0"), ("bad", "surprise")]
)
def test_what_fails_is_marked_as_an_error_and_says_why(told: dict[Any, dict[str, Any]], id: str, word: str) -> None:
    result = told[id]["result"]
    assert result["isError"] is True
    assert word in result["content"][0]["text"]


def test_a_tool_that_does_not_exist_is_a_protocol_error(told: dict[Any, dict[str, Any]]) -> None:
    assert told["no tool"]["error"]["code"] == -32602


def test_resources_prompts_and_ping_answer(told: dict[Any, dict[str, Any]]) -> None:
    assert all(r["uri"].startswith("pincite://snapshot/REF-") for r in told["resources"]["result"]["resources"])
    assert told["templates"]["result"]["resourceTemplates"][0]["uriTemplate"] == "pincite://snapshot/{ref}"
    assert told["missing"]["error"]["code"] == -32002
    assert all(p["description"] for p in told["prompts"]["result"]["prompts"])
    assert "why?" in told["prompt"]["result"]["messages"][0]["content"]["text"]
    assert told["ping"]["result"] == {}


@pytest.mark.parametrize(
    ("line", "id", "code"),
    [
        ("this is no JSON", None, -32700),
        ("[1, 2", None, -32700),
        ('{"jsonrpc": "2.0", "id": 7, "method": 5}', 7, -32600),
        (
            '{"jsonrpc": "2.0", "id": "s", "method": "tools/call", "params": {"name": "ask", "arguments": {"query": "\\ud800"}}}',
            "s",
            -32600,
        ),
        ("[]", None, -32600),
    ],
    ids=["no JSON", "half", "no method", "a lone surrogate", "a list"],
)
def test_a_line_that_is_no_message_is_answered_and_the_session_goes_on(place: str, line: str, id: Any, code: int) -> None:
    answers, _, ended = talk(place, HELLO, READY, line, {"jsonrpc": "2.0", "id": "after", "method": "ping"})
    (refused,) = [answer for answer in answers if "error" in answer]
    assert (refused["id"], refused["error"]["code"]) == (id, code)
    assert any(answer.get("id") == "after" and "result" in answer for answer in answers)
    assert ended == 0


def test_a_long_page_is_read_in_parts_that_join_to_the_whole(place: str) -> None:
    from pincite import Library
    from pincite.serve import mcp_tools

    with Library(place) as library:
        held = next(h for h in library.held() if h.path == "long.md")
        text, start, parts = library.document(held.ref).text, 0, []
        while True:
            reply = mcp_tools.get_passage(library, {"id": held.ref, "start": start, "max_tokens": 20_000})
            parts.append(reply.structured["text"])
            if "next_start" not in reply.structured:
                break
            start = reply.structured["next_start"]
    assert len(parts) > 1
    assert "".join(parts) == text


def test_the_rest_of_a_search_is_read_from_its_link(place: str) -> None:
    from pincite import Library
    from pincite.serve import mcp_prompts, mcp_tools

    with Library(place) as library:
        reply = mcp_tools.ask(library, {"query": "boiling takes time", "max_tokens": 600, "max_results": 5, "score_ratio": 0})
        rest = mcp_prompts.read(library, reply.structured["more"])["contents"][0]["text"]
        everything = mcp_prompts.read(library, reply.structured["more"].rpartition("=")[0] + "=0")["contents"][0]["text"]
    assert rest in everything
    assert everything.count("### REF-") == rest.count("### REF-") + len(reply.structured["doc_results"])


def test_a_source_below_an_allowed_root_is_captured_by_a_job(place: str, docs: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", "mcp", "--store", str(docs / "own.db"), "--allow-root", str(docs)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as run:
        assert run.stdin is not None
        assert run.stdout is not None

        def send(message: dict[str, Any]) -> None:
            assert run.stdin is not None
            run.stdin.write(json.dumps(message).encode() + b"\n")
            run.stdin.flush()

        def answer() -> dict[str, Any]:
            assert run.stdout is not None
            return dict(json.loads(run.stdout.readline()))

        send(HELLO)
        assert answer()["id"] == "hello"
        send(READY)
        send(call(1, "add_source", location=str(docs / "page.md"), name="teapots"))
        job = answer()["result"]["structuredContent"]["job"]
        follow = call(2, "job_status", job=job, wait_s=50)
        follow["params"]["_meta"] = {"progressToken": "p"}
        send(follow)
        seen = [answer()]
        while "result" not in seen[-1]:
            seen.append(answer())
        assert seen[-1]["result"]["structuredContent"]["state"] == "done"
        assert seen[-1]["result"]["structuredContent"]["coverage"]["documents"] == 1
        assert all(m["params"]["progressToken"] == "p" for m in seen[:-1])
        send(call(3, "ask", query="teapots"))
        assert "teapots" in answer()["result"]["structuredContent"]["doc_results"][0]["text"]
        run.stdin.close()
        assert run.wait(60) == 0


def test_the_first_answer_comes_before_the_sdk_is_loaded() -> None:
    script = (
        "import json, sys\n"
        "from pincite.serve import cli_agents, mcp, mcp_mount, mcp_stdio\n"
        "powers = mcp.Powers(lambda request, scope: True)\n"
        f"line = json.dumps({HELLO!r}).encode()\n"
        "answer = mcp_stdio.early_answer(mcp.surface(None, None, powers), line)\n"
        "assert answer['result']['protocolVersion'] == '2025-06-18'\n"
        "heavy = [m for m in ('mcp.types', 'pydantic', 'pincite.library', 'lxml', 'numpy', 'httpx', 'starlette') if m in sys.modules]\n"
        "assert not heavy, heavy\n"
    )
    subprocess.run([sys.executable, "-c", script], check=True, timeout=60)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "1999-01-01"])
def test_the_early_answer_is_the_one_that_the_sdk_gives(version: str) -> None:
    import anyio

    from pincite.serve import mcp, mcp_sdk, mcp_stdio

    nobody: Any = None
    surface = mcp.surface(nobody, nobody, mcp.Powers(lambda request, scope: True))
    line = json.dumps({**HELLO, "params": {**HELLO["params"], "protocolVersion": version}})

    async def asked() -> str:
        async with mcp_sdk.session(mcp_sdk.server(surface)) as (inbound, outbound):
            await inbound.send(mcp_sdk.parsed(line))
            return mcp_sdk.written(await outbound.receive())

    with_sdk = json.loads(anyio.run(asked))
    assert mcp_stdio.early_answer(surface, line.encode()) == with_sdk


@pytest.mark.parametrize("line", [b"", b"{", b"[]", b"5", b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', b"\xff\xfe"])
def test_anything_but_an_initialize_is_left_to_the_sdk(line: bytes) -> None:
    from pincite.serve import mcp, mcp_stdio

    nobody: Any = None
    assert mcp_stdio.early_answer(mcp.surface(nobody, nobody, mcp.Powers(lambda request, scope: True)), line) is None
