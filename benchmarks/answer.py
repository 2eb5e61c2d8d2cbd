#!/usr/bin/env python3
"""Time from a question to the first verified sentence, beyond the model's own time.

usage: answer.py [SHARED_DIR] [ROUNDS]

In: a library made here of invented pages, a model that answers at once. Out: p50 and p95 in milliseconds, with and without a model.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pincite.library import Library
from pincite.types import AskOptions

PAGES = 300
SYLLABLES = ("ka", "lo", "mi", "ne", "ru", "sa", "ti", "vo", "we", "zu", "bra", "ple", "ston", "der")


@dataclass
class Instant:
    """A model that quotes what it is told to and takes no time."""

    says: str = ""
    name: str = "instant"

    def complete(self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 0) -> str:
        """Return the text at once."""
        return self.says

    def stream(self, system: str, prompt: str, *, schema: Mapping[str, Any] | None = None, max_tokens: int = 0) -> Iterator[str]:
        """Yield the text at once."""
        yield self.says


def main(rounds: int) -> int:
    """Measure and print."""
    rng = random.Random(5)
    word = lambda: "".join(rng.choice(SYLLABLES) for _ in range(3))  # noqa: E731
    with tempfile.TemporaryDirectory() as folder:
        facts = []
        for n in range(PAGES):
            name, value = f"{word()}_{word()}", rng.randrange(1000)
            sentence = f"The setting {name} limits the {word()} to {value} units by default."
            facts.append((name, sentence))
            prose = "\n\n".join(" ".join(word() for _ in range(60)) + "." for _ in range(8))
            (Path(folder) / f"p{n}.md").write_text(f"# {name}\n\n{sentence}\n\n{prose}\n", "utf-8")
        with Library(str(Path(folder) / "library.db")) as library:
            library.add(folder)
            for label, model in (("extractive", None), ("model", Instant())):
                library._parts = replace(library._parts, model=model)
                spent = []
                for name, sentence in (rng.choice(facts) for _ in range(rounds)):
                    if model is not None:
                        model.says = f"QUOTE p1: {sentence}\nCLAIM: {sentence}\n"
                    begun = time.perf_counter()
                    first = next(iter(library.stream(f"What is the default of {name}?", options=AskOptions())))
                    spent.append((time.perf_counter() - begun) * 1000)
                    assert isinstance(first, str), "the first thing is a verified sentence"
                spent.sort()
                print(f"{label}: first verified sentence p50 {spent[len(spent) // 2]:.1f} ms, p95 {spent[int(len(spent) * 0.95)]:.1f} ms")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(int(sys.argv[2]) if len(sys.argv) > 2 else 100))
