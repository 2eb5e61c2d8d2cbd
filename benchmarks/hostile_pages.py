#!/usr/bin/env python3
"""CPU time and peak memory of extraction on 200 pages that mean harm: each kind that costs a parser or a writer much, and random markup.

usage: hostile_pages.py [--only KIND ...] [--seconds 2] [--megabytes 300]

In: nothing; the pages are made by fixed seeds. Out: one line for each kind and for each page over a limit; exit code 1 where there is one,
or a page that raised anything but a SourceError. Each kind runs in a process of its own; the random pages share one.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import resource
import sys
import time
from datetime import UTC, datetime

PAGES = 200
KINDS = {
    "attributes": "<p " + " ".join(f"a{i}=1" for i in range(40_000)) + ">words</p>",
    "nested div": "<div>" * 100_000 + "deep words",
    "nested lists": "<ul><li>x " * 30_000,
    "nested quotes": "<blockquote>x " * 30_000,
    "nested emphasis": "<b><i><span>x " * 40_000,
    "nested tables": "<table><tr><td>x " * 5_000,
    "nested terms": "<dl><dt>x<dd>" * 20_000,
    "nested details": "<details><summary>x</summary>" * 20_000,
    "nested admonitions": "<div class='admonition note'><p class=admonition-title>n</p>" * 5_000 + "x",
    "nested tabs": "<div class=tabbed-set><label>a</label><div class=tabbed-block>" * 5_000 + "x",
    "nested formulas": "<span class=math>" * 20_000 + "x",
    "nested drawings": "<svg>" * 50_000 + "<p>x",
    "nested shadows": "<div><template shadowrootmode=open>" * 20_000 + "x",
    "10 MB paragraph": "<p>" + "word " * 2_000_000,
    "10 MB code": "<pre>" + "word\n" * 2_000_000,
    "marks": "<p>" + "*_[`<" * 1_000_000,
    "ticks": "<code>" + "`" * 200_000 + "</code>",
    "entities": "&lt;&amp;&#8203;" * 200_000,
    "million cells": "<table>" + ("<tr>" + "<td>x" * 1_000) * 1_000,
    "spanning cells": "<table>" + ("<tr>" + "<td rowspan=1000 colspan=1000>x" * 20) * 200,
    "headings": "".join(f"<h{i % 6 + 1} id=a{i}>t {i}</h{i % 6 + 1}><p>w</p>" for i in range(30_000)),
    "links": "".join(f'<a href="x{i}">l {i}</a>' for i in range(100_000)),
    "links up": "".join(f'<a href="../.././x{i}">l {i}</a>' for i in range(100_000)),
    "code blocks": "<div class=highlight>" * 200 + "<pre>x</pre>" * 50_000,
    "styles": '<p style="color:red">x</p>' * 60_000,
    "ids": "".join(f"<p id=i{i}>w</p>" for i in range(60_000)),
    "NUL": "<p>a\0b</p>" * 50_000,
    "comments": "<!--" * 200_000 + "x words",
    "options": "<select>" + "<option>x" * 200_000,
    "declarations": "<meta charset=x>" * 100_000 + "<p>words",
    "broken tables": "<p><table><tr><p><td></table><a<b c=\"'" * 20_000,
    "reopened emphasis": "<b><i><p>" * 3_000 + "x words",
}
_TAGS = (  # noqa: SIM905
    "div p ul ol li table tr td th pre code h1 h2 dl dt dd blockquote span a b em section article main details summary figure svg math "
    "script style template nav aside header label"
).split()
_CLASSES = ["highlight", "admonition note", "tabbed-set", "sig", "fragment", "math", "line", "headerlink", "body"]
_WORDS = ["word ", "*", "`", "[", "](", "<", "&", "\0", "\u200b", "|", "\n", "#", "- ", "1. ", "漢字 ", "&#0;", "<!--", "-->"]


def random_page(seed: int) -> str:
    """Return random markup of up to 20,000 tokens."""
    chance, parts = random.Random(seed), []
    for _ in range(chance.randint(200, 20_000)):
        roll, tag = chance.random(), chance.choice(_TAGS)
        if roll < 0.5:
            style = f' class="{chance.choice(_CLASSES)}"' if chance.random() < 0.3 else ""
            parts.append(f"<{tag}{style} id=i{chance.randint(0, 50)}>")
        else:
            parts.append(f"</{tag}>" if roll < 0.8 else chance.choice(_WORDS) * chance.randint(1, 30))
    return "".join(parts)


def cost(page: str) -> tuple[float, int, str]:
    """Return CPU seconds, this process's peak memory in MB, and what came of the page: characters, a refusal, or an error."""
    from pincite.errors import SourceError
    from pincite.extract.extractor import DefaultExtractor
    from pincite.types import Fetched, Snapshot, capture_of

    body = page.encode("utf-8", "replace")
    fetched = Fetched("https://e.org/a.html", "https://e.org/a.html", "a.html", 200, (), "text/html", body, datetime.now(UTC))
    snapshot, extractor = Snapshot(capture_of("bench", fetched), body), DefaultExtractor()
    start = time.process_time()
    try:
        document = extractor.extract(snapshot)
        outcome = f"{len(document.text)} characters {' '.join(document.flags)}".strip()
    except SourceError as error:
        outcome = f"refused: {error.rule}"
    except Exception as error:  # noqa: BLE001 - what a page may raise is what is measured
        outcome = f"CRASH {error!r:.120}"
    return time.process_time() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, outcome


def cost_of_kind(name: str) -> tuple[float, int, str]:
    """Return the cost of one kind of page."""
    return cost(KINDS[name])


def cost_of_random(seed: int) -> tuple[float, int, str]:
    """Return the cost of one random page."""
    return cost(random_page(seed))


def main() -> None:
    """Measure, print, and exit with 1 where a page passed a limit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--megabytes", type=int, default=300)
    options = parser.parse_args()
    context, bad, worst = multiprocessing.get_context("spawn"), 0, (0.0, 0)
    names = options.only or list(KINDS)
    seeds = [] if options.only else list(range(PAGES - len(KINDS)))
    with context.Pool(1, maxtasksperchild=1) as alone, context.Pool(1) as shared:
        results = [(name, alone.apply_async(cost_of_kind, (name,))) for name in names]
        results += [(f"random {seed}", shared.apply_async(cost_of_random, (seed,))) for seed in seeds]
        for name, result in results:
            seconds, memory, outcome = result.get(timeout=600)
            over = seconds > options.seconds or memory > options.megabytes or outcome.startswith("CRASH")
            bad += over
            worst = max(worst[0], seconds), max(worst[1], memory)
            if over or name in KINDS:
                print(f"{name:20} {seconds:5.2f} s  {memory:4} MB  {outcome}{'  OVER' if over else ''}", flush=True)
    print(f"{len(results)} pages, worst {worst[0]:.2f} s and {worst[1]} MB, {bad} over {options.seconds:g} s or {options.megabytes} MB")
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
