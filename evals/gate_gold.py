"""Gate: retrieval and quote checks on gold sets, through the command line, scored by the sets' own scripts, held against `floors.json`.

    python evals/gate_gold.py SHARED

SHARED holds `data/context` (two corpora and `ask_gold.jsonl`), `data/retrieval/code_queries.jsonl`, `data/citations`, and the scorers
`bench/passages.py` and `bench/quotes.py`. Exits with 1 when a figure is below its floor. Floors only rise. `no_slice` is a ceiling.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

FLOORS: dict[str, dict[str, float]] = json.loads((Path(__file__).parent / "floors.json").read_text("utf-8"))
CEILINGS = ("no_slice",)
SEARCH = ("--max-results", "60", "--score-ratio", "0")
Figures = dict[str, float]


def pincite(folder: Path, *arguments: str | Path, out: str = "") -> None:
    """Run a command against the gate's library; its stdout goes to a file of that name, else away."""
    command = [sys.executable, "-m", "pincite", "--store", str(folder / "library.db"), "-q", *map(str, arguments)]
    with (folder / (out or "out.txt")).open("wb") as stdout:
        code = subprocess.run(command, stdout=stdout, check=False).returncode
    if code > 1:
        sys.exit(f"{' '.join(command)} exits with {code}")


def script(*arguments: str | Path) -> str:
    """Run a scorer and return what it printed."""
    return subprocess.run([sys.executable, *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=True).stdout


def figure(pattern: str, printed: str) -> float:
    """Return the number that a pattern finds, or stop with what was printed."""
    found = re.search(pattern, printed)
    if found is None:
        sys.exit(f"no figure {pattern} in:\n{printed}")
    return float(found[1])


def ask(shared: Path, folder: Path) -> Figures:
    """Questions to two context files."""
    pincite(folder, "add", *sorted((shared / "data/context").glob("*-context.md")))
    pincite(folder, "search", "--queries", shared / "data/context/ask_gold.jsonl", "--kind", "doc", *SEARCH, out="ask.jsonl")
    printed = script(shared / "bench/passages.py", "ask", folder / "ask.jsonl")
    row = next(line for line in printed.splitlines() if line.startswith("ask all"))
    return {
        "found_at_5": figure(r"R@5 [\d.]+ \((\d+)\)", row),
        "found_at_20": figure(r"R@20 [\d.]+ \((\d+)\)", row),
        "mrr": figure(r"MRR ([\d.]+)", row),
    }


def code(shared: Path, folder: Path) -> Figures:
    """Questions to source files."""
    script(shared / "bench/passages.py", "unpack-code", folder / "code")
    pincite(folder, "add", folder / "code", "--name", "code")
    queries = shared / "data/retrieval/code_queries.jsonl"
    pincite(folder, "search", "--queries", queries, "--kind", "code", *SEARCH, out="code.jsonl")
    printed = script(shared / "bench/passages.py", "code", folder / "code.jsonl")
    found = {f"found_at_{n}": figure(rf"@{n} ([\d.]+)", printed) for n in (5, 10, 20)}
    return {**found, "no_slice": figure(r"NO SLICE OF A FILE: (\d+)", printed) if "NO SLICE" in printed else 0}


def quotes(shared: Path, folder: Path) -> Figures:
    """Right, repaired and wrong quotes in long documents."""
    script(shared / "bench/quotes.py", "make", folder / "quotes")
    pincite(folder, "add", folder / "quotes/docs", "--name", "quotes")
    pincite(folder, "verify", "--quotes", folder / "quotes/quotes.jsonl", out="checked.jsonl")
    printed = script(shared / "bench/quotes.py", "score", folder / "checked.jsonl")
    shares = {}
    for kind in ("pos", "near", "neg"):
        right, total = (figure(rf"{kind} +right {part}", printed) for part in (r"(\d+)", r"\d+/(\d+)"))
        shares[kind] = right / total
    return {**shares, "no_slice": figure(r"no slice of the document: (\d+)", printed)}


def main(shared: Path) -> int:
    """Print every figure with its floor and return 1 when one is below."""
    gates: dict[str, Callable[[Path, Path], Figures]] = {"ask": ask, "code": code, "quotes": quotes}
    missed = 0
    for name, gate in gates.items():
        with tempfile.TemporaryDirectory() as folder:
            figures = gate(shared, Path(folder))
        for key, floor in FLOORS[name].items():
            held = figures[key] <= floor if key in CEILINGS else figures[key] >= floor
            missed += not held
            print(f"{'ok  ' if held else 'LOW '} {name:7} {key:12} {figures[key]:8.3f}  floor {floor}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
