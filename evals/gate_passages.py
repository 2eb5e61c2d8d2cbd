"""Gate: passages found for questions over context files and over source files, as the command line prints them.

    python evals/gate_passages.py SHARED_DIR

SHARED_DIR holds `data/context`, `data/retrieval` and `bench/passages.py`, which scores. Documents are added to a library of their own
through the command line, questions are asked through it. Exits with 1 when a figure is below `evals/floors.json`; floors only rise.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
FIGURE = re.compile(r"(found@5|@10|@20|MRR|R@5|R@20)\s+([\d.]+)")


def main(shared: Path) -> int:
    """Measure both sets and compare. Returns the exit code."""
    floors = json.loads((HERE / "floors.json").read_text("utf-8"))["passages"]
    scorer = shared / "bench" / "passages.py"
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        run(sys.executable, str(scorer), "unpack-code", str(work / "code"))
        context = [str(shared / "data" / "context" / name) for name in ("c4ai-doc-context.md", "c4ai-code-context.md")]
        code = [str(work / "code")]
        sets = (
            ("ask", context, shared / "data" / "context" / "ask_gold.jsonl", "doc"),
            ("code", code, shared / "data" / "retrieval" / "code_queries.jsonl", "code"),
        )
        below = []
        for name, sources, questions, kind in sets:
            figures = measured(work, name, sources, questions, kind, scorer)
            below += [f"{name} {key}: {figures.get(key)} < {floor}" for key, floor in floors[name].items() if figures.get(key, 0) < floor]
    for line in below:
        print("below the floor:", line)
    return 1 if below else 0


def measured(work: Path, name: str, sources: list[str], questions: Path, kind: str, scorer: Path) -> dict[str, float]:
    """Return the figures that the scorer prints for one set."""
    store, results = str(work / f"{name}.db"), work / f"{name}.jsonl"
    run(sys.executable, "-m", "pincite", "--store", store, "-q", "add", *sources)
    options = ("--kind", kind, "--max-results", "60", "--score-ratio", "0")
    results.write_text(run(sys.executable, "-m", "pincite", "--store", store, "search", "--queries", str(questions), *options), "utf-8")
    printed = run(sys.executable, str(scorer), name, str(results))
    print(printed.strip())
    return {key: float(value) for key, value in FIGURE.findall(printed.splitlines()[0])}


def run(*command: str) -> str:
    """Run a command and return what it printed; its failure is ours."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
