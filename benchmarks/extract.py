#!/usr/bin/env python3
"""CPU time and peak memory of extraction, side by side with trafilatura, on the same pages in one run.

usage: extract.py PAGES_DIR [--rounds 5]

In: a folder of `.html` or `.html.gz` files. Out: pages a second of CPU time, milliseconds a page and peak memory for each, and the ratio.
trafilatura (`pip install trafilatura`) is measured where it is installed. Each has a process of its own; they take turns, round by round,
and the median round counts.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import multiprocessing
import resource
import statistics
import time
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path


def pages(folder: Path) -> list[bytes]:
    """Return the bytes of all pages, in order of their names."""
    files = sorted([*folder.rglob("*.html"), *folder.rglob("*.html.gz")])
    return [gzip.decompress(f.read_bytes()) if f.suffix == ".gz" else f.read_bytes() for f in files]


def ours() -> Callable[[bytes], object]:
    """Return Pincite's extraction of one page."""
    from pincite.errors import SourceError
    from pincite.extract.extractor import DefaultExtractor
    from pincite.types import Fetched, Snapshot, capture_of

    extractor, now = DefaultExtractor(), datetime.now(UTC)

    def work(body: bytes) -> object:
        fetched = Fetched("https://e.org/a.html", "https://e.org/a.html", "a.html", 200, (), "text/html", body, now)
        try:
            return extractor.extract(Snapshot(capture_of("bench", fetched), body))
        except SourceError:
            return None

    return work


def theirs() -> Callable[[bytes], object]:
    """Return trafilatura's extraction of one page."""
    import trafilatura

    return lambda body: trafilatura.extract(body)


def measure(name: str, folder: Path) -> tuple[int, float, int]:
    """Return pages, CPU seconds a page in this round, and peak memory in MB of this process."""
    bodies = pages(folder)
    work = {"pincite": ours, "trafilatura": theirs}[name]()
    work(bodies[0])
    start = time.process_time()
    for body in bodies:
        work(body)
    return len(bodies), (time.process_time() - start) / len(bodies), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    names = ["pincite", *(["trafilatura"] if importlib.util.find_spec("trafilatura") else [])]
    spawn, seconds = multiprocessing.get_context("spawn"), {}
    with ExitStack() as stack:
        pools = {name: stack.enter_context(spawn.Pool(1)) for name in names}
        rounds = [{name: pool.apply(measure, (name, options.folder)) for name, pool in pools.items()} for _ in range(options.rounds)]
    for name in names:
        count, _, memory = rounds[-1][name]
        seconds[name] = each = statistics.median(found[name][1] for found in rounds)
        print(f"{name:12} {count:4} pages  {1 / each:7.1f} pages/s  {each * 1000:6.1f} ms  peak {memory} MB")
    if len(names) == 2:
        print(f"ratio {seconds['trafilatura'] / seconds['pincite']:.1f}")


if __name__ == "__main__":
    main()
