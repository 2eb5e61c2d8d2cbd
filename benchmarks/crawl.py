"""Pages a second and peak memory of `add` against a plain Scrapy spider that follows the same links and only saves the pages.

    python benchmarks/crawl.py SITE_DIR [--pages N] [--rounds 1]

SITE_DIR holds HTML files; both crawl it from the same server on loopback, without delay, each in a process of its own, one after the other.
Pincite extracts, chunks and indexes what it captures. Needs `scrapy` installed beside Pincite; without it only Pincite is measured.
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
from pathlib import Path


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
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu = used.ru_utime + used.ru_stime
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1 if sys.platform != "darwin" else 1024)
    print(json.dumps({"which": which, "pages": count, "seconds": round(seconds, 2), "cpu_s": round(cpu, 2), "peak_mb": peak // 1024}))


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
            row = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1])
            row["pages_per_s"] = round(row["pages"] / row["seconds"], 1)
            speeds[name] = max(speeds.get(name, 0.0), row["pages_per_s"])
            print(json.dumps(row), flush=True)
    if len(speeds) == 2:
        print(f"pincite / scrapy: {speeds['pincite'] / speeds['scrapy']:.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
