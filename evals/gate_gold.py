"""Gate: retrieval, quotes and extraction on gold sets, by the command line and the sets' own scorers, held against `floors.json`.

    python evals/gate_gold.py SHARED

SHARED holds `data/context` (two corpora and `ask_gold.jsonl`), `data/retrieval/code_queries.jsonl`, `data/citations`, `data/pages`,
`data/extraction`, and the scorers `bench/*.py`. Exits with 1 when a figure is below its floor. Floors only rise. `no_slice`, `heading_junk`
and `nav_leak` are ceilings.
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
CEILINGS = ("no_slice", "heading_junk", "nav_leak")
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


def structure(shared: Path, folder: Path) -> Figures:
    """What documentation pages hold, and what is left of it in the Markdown; percent."""
    pincite(folder, "extract", "--ids", "--out", folder / "pages", shared / "data/pages/html")
    printed = script(shared / "bench/structure.py", folder / "pages")
    return {name: float(share) for name, share in re.findall(r"^(\w+) +\d+/\d+ +([\d.]+) %", printed, re.M)}


def extraction(shared: Path, folder: Path) -> Figures:
    """The main text of articles and documentation pages; F1."""
    for name in ("docs", "articles"):
        pincite(folder, "extract", "--format", "text", "--out", folder / "text" / name, shared / "data/extraction" / name / "html")
    printed = script(shared / "bench/extraction.py", folder / "text")
    return {name: figure(rf"{name} .*F1 ([\d.]+)", printed) for name in ("docs", "articles")}


def main(shared: Path) -> int:
    """Print every figure with its floor and return 1 when one is below."""
    gates: dict[str, Callable[[Path, Path], Figures]] = {
        "ask": ask,
        "code": code,
        "quotes": quotes,
        "structure": structure,
        "extraction": extraction,
    }
    missed = 0
    for name, gate in gates.items():
        with tempfile.TemporaryDirectory() as folder:
            figures = gate(shared, Path(folder))
        for key, floor in FLOORS[name].items():
            held = figures[key] <= floor if key in CEILINGS else figures[key] >= floor
            missed += not held
            print(f"{'ok  ' if held else 'LOW '} {name:10} {key:14} {figures[key]:8.3f}  floor {floor}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
