#!/usr/bin/env python3
"""Gate: what the MCP tool `ask` gives at its default budget, on questions with known answers.

usage: gate_mcp_ask.py SHARED      SHARED/data/context holds two corpora and ask_gold.jsonl (query, gold_file, gold_heading, evidence)

Every result, counted whole as it goes over the wire (readable part, structured part and links), must stay within 6,000 estimated tokens.
The right section must be among the passages for at least 28 questions: its path is the gold file, and its own heading is the gold
heading or its text holds the evidence. Asked with `context_type` unset and doc.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from pincite import Library
from pincite.serve import mcp_tools
from pincite.serve.mcp_fit import cost

MOST_TOKENS = 6000
LEAST_FOUND = 28


def bare(heading: str) -> str:
    """Return a heading without marks and case."""
    return " ".join("".join(c for c in heading if c not in "*`_#\\").split()).lower()


def right(passage: dict[str, Any], gold: dict[str, Any]) -> bool:
    """Say whether a passage is the section that answers."""
    heading = bare((passage.get("heading") or [""])[-1])
    held = gold["evidence"] in passage["text"] or heading == bare(gold["gold_heading"])
    return str(passage.get("path", passage["url"])).endswith(gold["gold_file"]) and held


def main(shared: Path) -> int:
    """Print the figures and return how many floors were missed."""
    data = shared / "data" / "context"
    gold = [json.loads(line) for line in (data / "ask_gold.jsonl").read_text("utf-8").splitlines() if line.strip()]
    missed = 0
    with tempfile.TemporaryDirectory() as folder, Library(f"{folder}/library.db") as library:
        for corpus in sorted(data.glob("*-context.md")):
            library.add(str(corpus))
        for name, arguments in {"unset": {}, "doc": {"context_type": "doc"}}.items():
            tokens, found, counts, lost = [], 0, [], []
            for row in gold:
                result = mcp_tools.ask(library, {"query": row["query"], **arguments}).wire()
                tokens.append(cost(result))
                passages = result["structuredContent"]["doc_results"] + result["structuredContent"].get("code_results", [])
                counts.append(len(passages))
                hit = any(right(passage, row) for passage in passages)
                found += hit
                if not hit:
                    lost.append(row["query"])
            worst = max(tokens)
            print(f"{name:6} right section {found} of {len(gold)}   tokens at most {worst}, mean {sum(tokens) // len(tokens)}", end="")
            print(f"   passages mean {sum(counts) / len(counts):.1f}")
            for query in lost:
                print("       not found:", query)
            missed += (worst > MOST_TOKENS) + (found < LEAST_FOUND)
    return missed


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
