"""Pages a second and peak memory of `add` against a plain Scrapy spider that follows the same links and only saves the pages.

    python benchmarks/crawl.py SITE_DIR [--pages N] [--rounds 1]

SITE_DIR holds HTML files; both crawl it from the same server on loopback, without delay, each in a process of its own, one after the other.
Pincite extracts, chunks and indexes what it captures; processor time and memory are of all its processes. Needs `scrapy` installed beside
Pincite; without it only Pincite is measured.
"""

from __future__ import annotations

import argparse
import functools
import http.server
import importlib.util
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves a folder over HTTP/1.1 without a log."""

    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        return None


def by_pincite(url: str, pages: int, out: str) -> int:
    from pincite import Library, Policy

    host = url.removeprefix("http://").partition("/")[0]
    with Library(os.path.join(out, "library.db")) as library:
        policy = Policy(delay_s=0, concurrency=8, max_pages=pages, allow_private=(host,), render="never", seeds=False)
        report = library.add(url, policy=policy)
    return report.fetched


def by_scrapy(url: str, pages: int, out: str) -> int:
    import scrapy
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor

    saved: list[str] = []

    class Saver(scrapy.Spider):
        name = "saver"

        async def start(self):  # type: ignore[no-untyped-def]
            yield scrapy.Request(url)

        def parse(self, response):  # type: ignore[no-untyped-def]
            if "html" not in response.headers.get("Content-Type", b"").decode():
                return
            path = os.path.join(out, f"{len(saved)}.html")
            Path(path).write_bytes(response.body)
            saved.append(path)
            for link in LinkExtractor(allow=re.escape(url)).extract_links(response):
                yield response.follow(link.url.partition("#")[0])

    process = CrawlerProcess(
        {
            "LOG_ENABLED": False,
            "ROBOTSTXT_OBEY": True,
            "DOWNLOAD_DELAY": 0,
            "CONCURRENT_REQUESTS_PER_DOMAIN": 8,
            "CLOSESPIDER_PAGECOUNT": pages if pages < 100_000 else 0,
            "TELNETCONSOLE_ENABLED": False,
        }
    )
    process.crawl(Saver)
    process.start()
    return len(saved)


def child(which: str, url: str, pages: int) -> None:
    with tempfile.TemporaryDirectory() as out:
        began = time.perf_counter()
        count = {"pincite": by_pincite, "scrapy": by_scrapy}[which](url, pages, out)
        seconds = time.perf_counter() - began
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    cpu = sum(row.ru_utime + row.ru_stime for row in used)
    print(json.dumps({"which": which, "pages": count, "seconds": round(seconds, 2), "cpu_s": round(cpu, 2)}))


def tree_bytes(top: int) -> int:
    """Return the memory of a process and those below it, pages that they share counted once; 0 where there is no /proc."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            parents[int(entry.parent.name)] = int(entry.read_text().rpartition(")")[2].split()[1])
    below, found = {top}, {top}
    while below:
        below = {pid for pid, parent in parents.items() if parent in below}
        found |= below
    total = 0
    for pid in found:
        with suppress(OSError, AttributeError):
            total += int(re.search(r"^Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text(), re.M)[1]) * 1024  # type: ignore[index]
    return total


def run(command: list[str]) -> dict[str, Any]:
    """Run one crawl in a process of its own and return what it printed, with the peak memory of all its processes."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    peak = 0
    while process.poll() is None:
        peak = max(peak, tree_bytes(process.pid))
        time.sleep(0.25)
    assert process.stdout is not None, "it is a pipe"
    with process.stdout:
        lines = process.stdout.read().splitlines()
    if process.returncode:
        raise SystemExit(f"the crawl failed with {process.returncode}")
    row: dict[str, Any] = json.loads(lines[-1])
    return row | {"peak_mb": peak // 1024**2, "pages_per_s": round(row["pages"] / row["seconds"], 1)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("site")
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        child(given.child[0], given.child[1], given.pages)
        return 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=given.site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    names = ["pincite"] + ["scrapy"] * (importlib.util.find_spec("scrapy") is not None)
    speeds: dict[str, float] = {}
    for _ in range(given.rounds):
        for name in names:
            command = [sys.executable, __file__, given.site, "--pages", str(given.pages), "--child", name, url]
            row = run(command)
            speeds[name] = max(speeds.get(name, 0.0), row["pages_per_s"])
            print(json.dumps(row), flush=True)
    if len(speeds) == 2:
        print(f"pincite / scrapy: {speeds['pincite'] / speeds['scrapy']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
