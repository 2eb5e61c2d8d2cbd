"""Gate: questions of nonsense to real libraries get no confident hit, and words that nobody wrote are named.

    python evals/gate_nonsense.py SHARED [UNPACKED]

SHARED holds `data/context`, `data/retrieval/code_chunks.json` with the scorer `bench/passages.py` that unpacks it, and
`data/questions/roots.json`; UNPACKED, where it is given, `<package>/<folder>` for each of its sites. Each library is asked ten questions
of invented things, and ten that are made of its own rare words, four from four pages of which no page has two. Exits with 1 where a
question of either kind is answerable by a half or more, or a word that stands nowhere is not named.
"""

from __future__ import annotations

import json
import random
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from gate_gold import script

from pincite import Library

INVENTED = (
    "quantum banana recipe",
    "unicorn tax deduction for dragons",
    "how do I teleport a penguin to Neptune",
    "blockchain lasagna firmware",
    "Zorblax flux capacitor calibration",
    "why does my hovercraft yodel at the frobnitz",
    "bake_unicorn_cake",
    "what is the melting point of a werewolf",
    "量子香蕉食谱",
    "WarpDrive.engage_hamster() raises HamsterTiredError",
)
ASKED = 10


def apart(library: Library) -> list[str]:
    """Return questions of four words each, which stand on four pages and nowhere together, whatever their endings."""
    pages, whole = defaultdict[str, set[str]](set), dict[str, str]()
    for holding in library.held():
        for word in set(re.findall(r"[a-z]{4,}", library.document(holding.ref).text.lower())):
            pages[word[:4]].add(holding.ref)
            whole.setdefault(word[:4], word)
    rare = sorted(stem for stem, refs in pages.items() if len(refs) <= 2 and len(whole[stem]) > 4)
    chosen, draw = [], random.Random(6)
    while len(chosen) < ASKED:
        stems = draw.sample(rare, 4)
        if sum(len(pages[stem]) for stem in stems) == len(set[str]().union(*(pages[stem] for stem in stems))):
            chosen.append(" ".join(whole[stem] for stem in stems))
    return chosen


def measured(name: str, library: Library) -> int:
    """Print how sure the library is of nonsense; return how many questions it should not be sure of."""
    held = " ".join(library.document(holding.ref).text.lower() for holding in library.held())
    wrong = 0
    for kind, questions in (("invented", INVENTED), ("apart", apart(library))):
        sure, silent = [], []
        for question in questions:
            found = library.search(question)
            if found.answerable >= 0.5:
                sure.append(question)
            strange = [word for word in re.findall(r"[a-z]{5,}", question) if word[:4] not in held]
            if any(word not in " ".join(found.unknown_terms) for word in strange):
                silent.append(question)
        print(f"{name:24} {kind:9} sure of {len(sure)}, silent on {len(silent)} of {len(questions)}", *sure, *silent, sep="  ", flush=True)
        wrong += len(sure) + len(silent)
    return wrong


def main(shared: Path, unpacked: Path | None) -> int:
    """Measure each library. Returns the exit code."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        script(shared / "bench/passages.py", "unpack-code", work / "code")
        places = {"context": sorted((shared / "data/context").glob("*-context.md")), "code": [work / "code"]}
        for package, root in json.loads((shared / "data/questions/roots.json").read_text("utf-8")).items():
            if unpacked and (unpacked / package / root).is_dir():
                places[package] = [unpacked / package / root]
        for name, some in places.items():
            with Library(str(work / f"{name}.db")) as library:
                for place in some:
                    library.add(str(place))
                wrong += measured(name, library)
    return int(wrong > 0)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) == 3 else None))
