"""Nearest vectors in the built-in store beside an exact scan by numpy, in one run: CPU time a question, recall, opening, size.

    python benchmarks/vectors.py [COUNT]      (100,000 vectors of 384 numbers when left out)

Vectors are drawn like those of text embedders: topics with a decaying spectrum, questions near a passage. CPU times are medians of five
runs over 100 questions each.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

from pincite.index.vectors import VectorFile
from pincite.types import Point

DIMENSIONS, TOPICS, QUESTIONS, RUNS, WANTED = 384, 2000, 100, 5, 10


def drawn(count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return passages and questions, unit vectors in rows."""
    generator = np.random.default_rng(11)
    spectrum = (1.0 / np.sqrt(1.0 + np.arange(DIMENSIONS) / 24.0)).astype(np.float32)
    centres = generator.normal(size=(TOPICS, DIMENSIONS)).astype(np.float32) * spectrum
    noise = generator.normal(size=(count, DIMENSIONS)).astype(np.float32) * spectrum * 0.7
    passages = centres[generator.integers(0, TOPICS, count)] + noise
    near = generator.normal(size=(QUESTIONS, DIMENSIONS)).astype(np.float32) * spectrum * 0.5
    questions = passages[generator.integers(0, count, QUESTIONS)] + near
    return tuple(rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (passages, questions))


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that the work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def main(count: int) -> None:
    """Print the figures."""
    passages, questions = drawn(count)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "vectors.db"
        store = VectorFile.open(place, "drawn")
        points = [Point(f"psg_{n:024x}", n // 50, f"source{n % 4}", row.tobytes()) for n, row in enumerate(passages)]
        writing = spent(lambda: [store.write(points[at : at + 2000], (), at + 2000) for at in range(0, count, 2000)])
        store.shut()
        store = VectorFile.open(place, "drawn")
        opening = spent(lambda: store.nearest(questions[0].tolist(), WANTED))
        each = [spent(lambda q=q: store.nearest(q.tolist(), WANTED)) * 1000 for _ in range(RUNS) for q in questions]
        pool = [spent(lambda q=q: store.nearest(q.tolist(), 100)) * 1000 for _ in range(RUNS) for q in questions]
        one = [spent(lambda q=q: store.nearest(q.tolist(), 100, ["source1"])) * 1000 for _ in range(RUNS) for q in questions]
        exact = [spent(lambda q=q: np.argpartition(-(passages @ q), WANTED)[:WANTED]) * 1000 for _ in range(RUNS) for q in questions]
        hits = 0
        for question in questions:
            best = {f"psg_{n:024x}" for n in np.argsort(-(passages @ question))[:WANTED]}
            hits += len(best & {id for id, _ in store.nearest(question.tolist(), WANTED)})
        print(f"vectors                 {count} of {DIMENSIONS} numbers, {place.stat().st_size / 1e6:.0f} MB on disk")
        print(f"write                   {count / writing:.0f} a CPU second")
        print(f"open + first question   {opening:.2f} s CPU")
        recall, tail = hits / QUESTIONS / WANTED, np.percentile(each, 99)
        print(f"a question, best 10     p50 {median(each):.1f} ms  p99 {tail:.1f} ms CPU  recall@10 {recall:.3f}")
        print(f"a question, best 100    p50 {median(pool):.1f} ms CPU; within one source {median(one):.1f} ms")
        print(f"exact scan by numpy     p50 {median(exact):.1f} ms CPU, {passages.nbytes / 1e6:.0f} MB in memory")
        print(f"peak memory             {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB, the drawn vectors included")
        store.shut()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 100_000)
