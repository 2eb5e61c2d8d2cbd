"""Gate: questions to whole documentation sites in one library, and questions that they do not answer. Takes a quarter of an hour.

    python evals/long_questions.py SHARED [UNPACKED]

SHARED holds `data/questions` (`retrieval.jsonl`, `unanswerable.jsonl`, `roots.json`: the folder of the pages inside each of Debian's
packages) and the scorer `bench/docs_questions.py`. UNPACKED holds `<package>/<folder>` for each; without it, installed packages are taken,
and those that are not installed are downloaded where `apt-get` can. Exits with 1 when a figure is below its floor in `floors.json`.
`refused_wrongly` is a ceiling: of the questions with an answer, the share that is turned away.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from gate_gold import FLOORS, Figures, figure, pincite, script

CEILINGS = ("refused_wrongly",)
COLUMNS = ("section_at_1", "section_at_5", "section_at_10", "mrr", "page_at_1", "page_at_5", "anchor_at_5", "read_2k", "read_4k", "read_8k")


def place(package: str, root: str, unpacked: Path | None, work: Path) -> Path | None:
    """Return the folder of a package's pages, or None where it can't be had."""
    for base in ([unpacked / package] if unpacked else []) + [Path("/")]:
        if (base / root).is_dir():
            return base / root
    if shutil.which("apt-get") is None or shutil.which("dpkg") is None:
        return None
    subprocess.run(["apt-get", "download", "-q", package], cwd=work, stdout=subprocess.DEVNULL, check=False)
    for archive in work.glob(f"{package}_*.deb"):
        subprocess.run(["dpkg", "-x", str(archive), str(work / package)], check=True)
    return work / package / root if (work / package / root).is_dir() else None


def searched(questions: Path, scorer: Path, work: Path) -> Figures:
    """Return what is found, of all questions and of the paraphrased ones."""
    pincite(work, "search", "--queries", questions / "retrieval.jsonl", "--max-results", "20", "--score-ratio", "0", out="found.jsonl")
    rows = {line.split()[0]: line.split()[2:] for line in script(scorer, "search", work / "found.jsonl", "--set", questions).splitlines()}
    found = {name: float(value) for name, value in zip(COLUMNS, rows["all"], strict=True)}
    return {**found, "paraphrase_at_5": float(rows["paraphrase"][COLUMNS.index("section_at_5")])}


def refused(questions: Path, scorer: Path, work: Path) -> Figures:
    """Return how many unanswerable questions are turned away, and how many others."""
    for name in ("retrieval", "unanswerable"):
        pincite(work, "ask", "--no-llm", "--json", "--queries", questions / f"{name}.jsonl", out=f"{name}.jsonl")
    answers = work / "answers.jsonl"
    answers.write_bytes(b"".join((work / f"{name}.jsonl").read_bytes() for name in ("retrieval", "unanswerable")))
    printed = script(scorer, "refuse", answers, "--set", questions)
    right, none = (figure(rf"unanswerable +all {part}", printed) for part in (r"(\d+)", r"\d+/(\d+)"))
    answered, some = (figure(rf"retrieval +all {part}", printed) for part in (r"(\d+)", r"\d+/(\d+)"))
    return {"refused_rightly": right / none, "refused_wrongly": 1 - answered / some}


def main(shared: Path, unpacked: Path | None) -> int:
    """Print every figure with its floor and return 1 when one is below."""
    questions, scorer, missed = shared / "data/questions", shared / "bench/docs_questions.py", 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        sites = {
            package: place(package, root, unpacked, work)
            for package, root in json.loads((questions / "roots.json").read_text("utf-8")).items()
        }
        if missing := [package for package, found in sites.items() if found is None]:
            print(f"Not measured: {', '.join(missing)} can't be had. Unpack them and name the folder.")
            return 0
        for package, found in sites.items():
            pincite(work, "add", str(found), "--name", package)
        figures = {**searched(questions, scorer, work), **refused(questions, scorer, work)}
    for key, floor in FLOORS["questions"].items():
        held = figures[key] <= floor if key in CEILINGS else figures[key] >= floor
        missed += not held
        print(f"{'ok  ' if held else 'LOW '} questions {key:16} {figures[key]:8.3f}  floor {floor}", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None))
