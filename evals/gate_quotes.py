#!/usr/bin/env python3
"""Gate: mutated quotes inside long documents are accepted, located or refused as they must be.

usage: gate_quotes.py SHARED_DIR

In: the folder with `data/citations/quote_cases.json`. Out: figures on stdout; exit code 1 below a floor of `evals/floors.json`, or where
printed text is no slice of its document, or where the slowest twentieth takes longer than its limit of CPU time.
"""

from __future__ import annotations

import json
import random
import re
import sys
import time
from collections import Counter
from pathlib import Path

from pincite.cite.haystack import Haystack
from pincite.cite.locate import locate
from pincite.types import Block, Document, Section, Span

FILLER_CHARS = 300_000
DOCUMENTS = 4


def documents(originals: list[str]) -> dict[str, Haystack]:
    """Return, for each sentence, the long document that it stands in; the sentences lie among paragraphs of invented words."""
    rng = random.Random(7)
    where: dict[str, Haystack] = {}
    for n in range(DOCUMENTS):
        mine = originals[n::DOCUMENTS]
        paragraphs = []
        for text in mine:
            paragraphs.append(text)
            paragraphs += [" ".join(_word(rng) for _ in range(12)) + "." for _ in range(max(1, FILLER_CHARS // (90 * len(mine))))]
        haystack = Haystack(_document(str(n), "\n\n".join(paragraphs) + "\n"))
        where |= dict.fromkeys(mine, haystack)
    return where


def _word(rng: random.Random) -> str:
    return "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(2)) + str(rng.randrange(9999))


def _document(name: str, text: str) -> Document:
    blocks = [Block(f"b{i}", "paragraph", Span(*m.span()), 0) for i, m in enumerate(re.finditer(r"(?:(?!\n\n).)+", text, re.S))]
    root = Section(0, 0, (), Span(0, len(text)), kind="root")
    return Document(name, "sha256:" + name, "", "doc", name, text, (root,), tuple(blocks), "gate@1")


def main(shared: Path) -> int:
    """Measure and compare with the floors."""
    cases = json.loads((shared / "data/citations/quote_cases.json").read_text("utf-8"))
    floors = json.loads((Path(__file__).parent / "floors.json").read_text("utf-8"))["ladder"]
    where = documents(list(dict.fromkeys(c["original"] for c in cases)))
    for haystack in dict.fromkeys(where.values()):
        haystack.nearest(("warm",))
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    spent, foreign = [], 0
    for case in cases:
        haystack = where[case["original"]]
        begun = time.thread_time()
        found = locate(case["quote"], haystack)
        spent.append((time.thread_time() - begun) * 1000)
        kind = case["kind"]
        good = {"pos": found.accepted, "near": found.status != "unverified", "neg": found.status == "unverified"}[kind]
        right[kind] += good
        total[kind] += 1
        foreign += found.accepted and (found.span is None or found.span.of(haystack.document.text) not in haystack.document.text)
    p95 = sorted(spent)[int(len(spent) * 0.95)]
    print(" ".join(f"{kind} {right[kind]}/{total[kind]}" for kind in ("pos", "near", "neg")), f"no slice {foreign} p95 {p95:.1f} ms CPU")
    low = [kind for kind in total if right[kind] / total[kind] < floors[kind]]
    if low or foreign or p95 > floors["p95_ms"]:
        print("below the floor:", ", ".join(low) or "slices or time", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit("usage: gate_quotes.py SHARED_DIR")
    raise SystemExit(main(Path(sys.argv[1])))
