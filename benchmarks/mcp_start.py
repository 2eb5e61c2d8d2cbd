#!/usr/bin/env python3
"""How long `pincite mcp` takes to its first answers: `initialize`, and the first passages.

usage: mcp_start.py [SHARED]      SHARED is not read; the library is made of this repository's docs
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
ASK = {"name": "ask", "arguments": {"query": "exit codes"}}
RUNS = 7


def once(store: str) -> tuple[float, float, float]:
    """Return seconds to the first answer, to the first passages, and of CPU time altogether."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    command = [sys.executable, "-m", "pincite", "mcp", "--store", store]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        assert run.stdin is not None
        assert run.stdout is not None
        run.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}).encode() + b"\n")
        run.stdin.flush()
        run.stdout.readline()
        first = time.perf_counter() - begun
        for message in ({"method": "notifications/initialized"}, {"id": 2, "method": "tools/call", "params": ASK}):
            run.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        run.stdin.flush()
        run.stdout.readline()
        passages = time.perf_counter() - begun
        run.stdin.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return first, passages, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the median of some runs."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"{folder}/library.db"
        subprocess.run(
            [sys.executable, "-m", "pincite", "--store", store, "-q", "add", str(ROOT / "docs")], check=True, stdout=subprocess.DEVNULL
        )
        runs = [once(store) for _ in range(RUNS)]
    first, passages, cpu = (statistics.median(values) for values in zip(*runs, strict=True))
    print(f"mcp  initialize answered after {first:.2f} s, first passages after {passages:.2f} s, {cpu:.2f} s CPU (median of {RUNS})")


if __name__ == "__main__":
    main()
