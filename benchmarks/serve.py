"""What a request to `pincite serve` costs, beside a server that builds its index anew on each request.

In: a folder with `context/*-context.md`, in it or in its `data`. Out: a line a case: p50, p99, requests a second, CPU a request, and p99 of
`/health` meanwhile. Needs `wrk`.
"""

from __future__ import annotations

import argparse
import http.client
import json
import math
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit

from pincite.library import Library

QUESTIONS = (
    "How do I skip the cache for one run?",
    "take a screenshot",
    "BrowserConfig",
    "rotate proxies between requests",
    "extract rows with a CSS schema",
    "crawl several pages at once and limit memory",
    "wait for an element to appear",
    "what does the markdown generator leave out",
    "run JavaScript before reading the page",
    "follow links to a depth",
)
HEALTH_CPU_MS = 0.4
"""What one `/health` costs on an idle machine, taken off the CPU of a case; 50 are sent a second."""
LUA = """
local paths = {%s}
local at = math.random(#paths)
request = function() at = at %% #paths + 1; return wrk.format("GET", paths[at]) end
done = function(summary, latency)
  io.write(string.format("RESULT %%f %%f %%d %%d %%f\\n", latency:percentile(50) / 1000, latency:percentile(99) / 1000, summary.requests,
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout, summary.duration / 1e6))
end
"""


def corpora(given: str) -> list[Path]:
    """Return the context files of the folder."""
    root = Path(given)
    found = [path for base in (root, root / "data") for path in sorted((base / "context").glob("*-context.md"))]
    if not found:
        raise SystemExit(f"There are no context/*-context.md below {root}.")
    return found


def cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def memory_mb(pid: int) -> float:
    """Return the memory that is a process's own (Linux): mapped files of the index, which the system may drop, are not counted."""
    return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[1]) / 1024  # type: ignore[index]


def get(port: int, path: str) -> tuple[int, bytes]:
    """Fetch a path."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        link.request("GET", path)
        answer = link.getresponse()
        return answer.status, answer.read()
    finally:
        link.close()


@contextmanager
def served(command: list[str], port: int, ready: str) -> Iterator[int]:
    """Run a server and give its process id."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            try:
                if get(port, ready)[0] == 200:
                    break
            except OSError:
                time.sleep(0.1)
        else:
            raise SystemExit("The server did not start.")
        yield process.pid
    finally:
        process.terminate()
        process.wait(20)


def measured(port: int, pid: int, paths: list[str], seconds: int, clients: int) -> dict[str, float]:
    """Drive the paths with wrk and return the figures."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(LUA % ", ".join(json.dumps(path) for path in paths))
        script.flush()
        healthy: list[float] = []
        stop = threading.Event()
        watcher = threading.Thread(target=_health, args=(port, stop, healthy))
        before = cpu_s(pid)
        watcher.start()
        command = ["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "60s", "-s", script.name, f"http://127.0.0.1:{port}"]
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        spent = cpu_s(pid) - before
        stop.set()
        watcher.join()
    found = re.search(r"RESULT (\S+) (\S+) (\d+) (\d+) (\S+)", out)
    if found is None:
        raise SystemExit(out)
    requests = int(found[3])
    healthy.sort()
    return {
        "p50_ms": round(float(found[1]), 1),
        "p99_ms": round(float(found[2]), 1),
        "requests_per_s": round(requests / float(found[5]), 1),
        "errors": int(found[4]),
        "cpu_ms": round((spent - len(healthy) * HEALTH_CPU_MS / 1000) * 1000 / max(1, requests), 2),
        "health_p99_ms": round(healthy[max(0, math.ceil(0.99 * len(healthy)) - 1)] * 1000, 1) if healthy else 0.0,
    }


def _health(port: int, stop: threading.Event, took: list[float]) -> None:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while not stop.wait(0.02):
        began = time.perf_counter()
        link.request("GET", "/health")
        link.getresponse().read()
        took.append(time.perf_counter() - began)
    link.close()


def rebuilding(files: list[Path], port: int) -> None:
    """Serve `/ask` as a minimal server would that reads its file, cuts it and builds BM25 on each request."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            query = parse_qs(urlsplit(self.path).query).get("query", [""])[0]
            body = json.dumps([] if not query else [hit for path in files for hit in bm25(path.read_text("utf-8"), query)]).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing."""

    ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever()


def bm25(text: str, query: str, k1: float = 1.5, b: float = 0.75) -> list[dict[str, object]]:
    """Return the twenty best sections of a text (Robertson and Zaragoza 2009, §3.1), its index made for this one question."""
    sections = re.split(r"(?m)^(?=#{1,6} )", text)
    counts = [Counter(section.lower().split()) for section in sections]
    sizes = [sum(count.values()) or 1 for count in counts]
    mean = sum(sizes) / len(sizes)
    seen = Counter(word for count in counts for word in count)
    scores = []
    for i, count in enumerate(counts):
        score = 0.0
        for word in query.lower().split():
            if count[word]:
                idf = math.log(1 + (len(sections) - seen[word] + 0.5) / (seen[word] + 0.5))
                score += idf * count[word] * (k1 + 1) / (count[word] + k1 * (1 - b + b * sizes[i] / mean))
        scores.append((score, i))
    return [{"text": sections[i], "score": score} for score, i in sorted(scores, reverse=True)[:20]]


def main() -> None:
    """Run the cases and print a line of JSON for each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared")
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--rebuild", type=int, metavar="PORT", help=argparse.SUPPRESS)
    options = parser.parse_args()
    files = corpora(options.shared)
    if options.rebuild:
        return rebuilding(files, options.rebuild)
    if shutil.which("wrk") is None:
        raise SystemExit("This needs wrk: apt-get install wrk")
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "library.db"
        with Library(str(store)) as library:
            for path in files:
                library.add(str(path))
        (Path(folder) / "pincite.toml").write_text(
            f'store = "{store}"\n[rate_limiting]\nenabled = false\n[security]\nlocal_roots = ["{folder}"]\n'
        )
        command = [sys.executable, "-m", "pincite", "serve", "--config", f"{folder}/pincite.toml", "--port", "8391"]
        with served(command, 8391, "/ready") as pid:
            for kind in ("doc", "code", "all"):
                paths = [f"/ask?context_type={kind}&query={quote(question)}" for question in QUESTIONS]
                fresh = [f"{path}%20{word}" for path in paths for word in WORDS]
                for name, chosen in (("", paths), (", each question new", fresh)):
                    print(
                        json.dumps({"case": f"pincite, {kind}{name}", **measured(8391, pid, chosen, options.seconds, options.clients)}),
                        flush=True,
                    )
        command = [sys.executable, __file__, options.shared, "--rebuild", "8392"]
        with served(command, 8392, "/health") as pid:
            paths = [f"/ask?query={quote(question)}" for question in QUESTIONS]
            print(
                json.dumps({"case": "index built on each request", **measured(8392, pid, paths, options.seconds, options.clients)}),
                flush=True,
            )


WORDS = tuple(f"{a}{b}" for a in "abcdefghijklmnopqrst" for b in "bcdfghjklmnpqrstvwxz")
"""Endings without meaning that make a question one that was not asked before: 400 for each question."""


if __name__ == "__main__":
    main()
