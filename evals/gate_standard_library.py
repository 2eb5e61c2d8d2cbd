"""Gate: questions of our own about the standard library's source, found by the command line.

    python evals/gate_standard_library.py

Adds the modules that `standard_library.jsonl` names, from the running Python, to a library of its own, and runs `pincite eval`.
Exits with 1 when a figure is below `floors.json`.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """Measure and compare. Returns the exit code."""
    gold = HERE / "standard_library.jsonl"
    floors = json.loads((HERE / "floors.json").read_text("utf-8"))["standard_library"]
    places = {place["path"] for line in gold.read_text("utf-8").splitlines() for place in json.loads(line)["gold"]}
    origin = Path(sysconfig.get_paths()["stdlib"])
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        for place in sorted(places):
            (work / "lib" / place).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(origin / place, work / "lib" / place)
        pincite = [sys.executable, "-m", "pincite", "--store", str(work / "lib.db")]
        subprocess.run([*pincite, "-q", "add", str(work / "lib")], check=True, stdout=subprocess.DEVNULL)
        answered = subprocess.run([*pincite, "--json", "eval", str(gold)], check=True, stdout=subprocess.PIPE, text=True).stdout
    figures = json.loads(answered)
    print(json.dumps(figures))
    below = [f"{name}: {figures[name]:.3f} < {floor}" for name, floor in floors.items() if figures[name] < floor]
    for line in below:
        print("below the floor:", line)
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
