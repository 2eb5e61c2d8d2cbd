#!/usr/bin/env python3
"""Processor time of what a crawl looks for in a page before it is extracted, on pages that repeat what such a search begins with.

    python benchmarks/hostile_hints.py [--seconds 1]

In: nothing; each page repeats one piece of markup for 2 MB. Out: a line for each page with its slowest search, and the ratio to a page half
as long: 2 means that the time grows with the length, 4 that it grows with its square. Exits with 1 where a page takes longer than that.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
import time
from datetime import UTC, datetime

SIZE = 2_000_000
PIECES = {
    "comments": "<!--",
    "heads": "<head>",
    "templates": "<template>",
    "shadow roots": "<div><template shadowrootmode=open>",
    "scripts": "<script x",
    "styles in a script": "<script><style>",
    "titles": "<title>",
    "meta": "<meta ",
    "meta names": "<meta name robots ",
    "refreshes": "<meta http-equiv=refresh content='1 ",
    "links": "<link rel ",
    "feeds": "<link rel=alternate application/rss+xml ",
    "brackets": "<",
    "blanks": " ",
    "hard blanks": "&nbsp;",
    "ids": "<div id ",
    "needs": "need ",
    "attributes": "a=1 ",
    "quotes": "<a href='",
    "anchors": "<a href=x>y</a>",
}


def cost(piece: str, size: int) -> tuple[float, str]:
    """Return the seconds of the slowest search on a page, and its name."""
    from pincite.crawl import answers, hints
    from pincite.types import Fetched

    body = ("<html><body><script></script><p " + piece * (size // len(piece))).encode()
    page = Fetched("https://e.org/a", "https://e.org/a", "a", 200, (), "text/html", body, datetime.now(UTC))
    found = []
    for search in (
        hints.needs_scripts,
        hints.moved_to,
        hints.calls_itself,
        hints.is_lost,
        hints.feeds,
        answers.robots_flags,
        answers.is_challenge,
    ):
        began = time.process_time()
        search(page)
        found.append((time.process_time() - began, search.__name__))
    return max(found)


def main() -> int:
    """Measure and print. Returns the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0)
    limit, over = parser.parse_known_args()[0].seconds, 0
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for name, piece in PIECES.items():
            (half, _), (whole, search) = (pool.apply_async(cost, (piece, size)).get(600) for size in (SIZE // 2, SIZE))
            over += whole > limit
            print(f"{name:20} {whole:6.2f} s  {whole / max(half, 0.001):4.1f} x  {search}{'  OVER' if whole > limit else ''}", flush=True)
    print(f"{len(PIECES)} pages, {over} over {limit:g} s")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
