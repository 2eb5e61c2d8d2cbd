"""Gate: how much of the gold text of long plain texts the first 1,000 tokens of passages hold, by how the texts are cut.

    python evals/long_chunking.py SHARED

SHARED holds `data/retrieval/chunking`: five plain texts without headings, and `questions.csv` with gold spans of characters. All texts
lie in one library, and each question is asked of all of it. Passages are read best first, the last one as far as 1,000 tokens reach.
Recall is the share of a question's gold characters that were read, each once, there or where the text says the same again; the mean over
all questions is held against `floors.json`. Beside it stand chunks of 800 characters each, whatever they cut through, in the same index,
and both without headers.
Exits with 1 when the figure is below its floor, or below that of the fixed chunks.
"""

from __future__ import annotations

import csv
import json
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite import tokens
from pincite.chunk.chunker import StructureChunker
from pincite.context.headers import HeaderContextualizer
from pincite.index.lexical import LexicalIndex
from pincite.pipeline import process, search
from pincite.protocols import Chunker, Contextualizer, Parts
from pincite.settings import Settings
from pincite.store.sqlite import SqliteStore
from pincite.types import Chunk, Context, Document, Fetched, Query, Snapshot, Source, Span, chunk_id
from pincite.wiring import extractor, now

BUDGET, FIXED = 1000, 800


@dataclass(frozen=True)
class FixedChunker:
    """Cuts every so many characters."""

    size: int = FIXED

    def chunk(self, document: Document) -> tuple[Chunk, ...]:
        """Return slices of one length."""
        spans = [Span(at, min(at + self.size, len(document.text))) for at in range(0, len(document.text), self.size)]
        return tuple(
            Chunk(chunk_id(document.id, s), document.id, s, 0, document.kind, part=len(document.sections) + k) for k, s in enumerate(spans)
        )


@dataclass(frozen=True)
class NoHeaders:
    """Says nothing of where a chunk stands."""

    def contextualize(self, document: Document, chunks: Sequence[Chunk], path: str) -> tuple[Context, ...]:
        """Return empty contexts."""
        return tuple(Context() for _ in chunks)


@dataclass(frozen=True)
class Question:
    """A question, the text that answers it and where."""

    text: str
    corpus: str
    gold: tuple[tuple[Span, str], ...]


def questions(folder: Path) -> list[Question]:
    """Read the questions with their gold spans."""
    with (folder / "questions.csv").open(encoding="utf-8", newline="") as file:
        return [
            Question(
                row["question"],
                row["corpus_id"],
                tuple((Span(int(r["start_index"]), int(r["end_index"])), r["content"]) for r in json.loads(row["references"])),
            )
            for row in csv.DictReader(file)
        ]


def library(folder: Path, place: Path, chunker: Chunker, contextualizer: Contextualizer) -> Parts:
    """Put the texts into a store of their own and return the parts that search it."""
    store = SqliteStore.open(str(place / "library.db"), create=True, read_only=False)
    parts = Parts(store, LexicalIndex.open(None, read_only=False), extractor(Settings()), chunker, contextualizer, now)
    source = store.put_source(Source("texts", "folder", str(folder)))
    for file in sorted(folder.glob("*.md")):
        fetched = Fetched(file.as_uri(), file.as_uri(), f"{file.stem}.txt", 200, (), "text/plain; charset=utf-8", file.read_bytes(), now())
        with store.batch() as batch:
            capture, _ = batch.put_capture(source.slug, fetched)
            made = process(parts, Snapshot(capture, fetched.body))
            batch.put_document(made.document, made.chunks, made.contexts)
            batch.hold(capture, made.document.id)
    parts.index.catch_up(store)
    return parts


def recall(parts: Parts, question: Question) -> tuple[float, float]:
    """Return the share of the gold characters that the first tokens of passages hold: the text of a gold span anywhere, and at its place.

    They differ where a corpus says the same twice: of equal passages one is shown, which need not be the one that the gold names.
    """
    left, places, texts = BUDGET, set[int](), list[str]()
    for passage in search(parts, Query(question.text, max_results=20, score_ratio=0.0)):
        text = tokens.cut(passage.text, left)
        texts.append(text)
        if Path(passage.path).stem == question.corpus:
            places.update(range(passage.start, passage.start + len(text)))
        left -= tokens.estimate(text)
        if left <= 0:
            break
    wanted = {at for span, _ in question.gold for at in range(span.start, span.end)}
    said = {at for span, gold in question.gold if any(gold in text for text in texts) for at in range(span.start, span.end)}
    return len(wanted & (places | said)) / len(wanted), len(wanted & places) / len(wanted)


def measured(folder: Path, asked: Sequence[Question], chunker: Chunker, contextualizer: Contextualizer) -> dict[str, float]:
    """Return the mean recall of each text's questions, of all, and of all by place."""
    with tempfile.TemporaryDirectory() as place:
        parts = library(folder, Path(place), chunker, contextualizer)
        rows = defaultdict[str, list[float]](list)
        for question in asked:
            said, there = recall(parts, question)
            for name, share in ((question.corpus, said), ("all", said), ("all by place", there)):
                rows[name].append(share)
        parts.index.shut()
        parts.store.shut()
    return {name: sum(row) / len(row) for name, row in sorted(rows.items())}


def main(shared: Path) -> int:
    """Print a line for each way of cutting. Returns the exit code."""
    folder = shared.resolve() / "data/retrieval/chunking"
    asked, floors = questions(folder), json.loads((Path(__file__).parent / "floors.json").read_text("utf-8"))["chunking"]
    ways: dict[str, tuple[Chunker, Contextualizer]] = {
        "ours": (StructureChunker(), HeaderContextualizer()),
        "ours, no headers": (StructureChunker(), NoHeaders()),
        "fixed": (FixedChunker(), HeaderContextualizer()),
        "fixed, no headers": (FixedChunker(), NoHeaders()),
    }
    figures = {}
    for name, way in ways.items():
        figures[name] = measured(folder, asked, *way)
        print(f"{name:18}", "  ".join(f"{corpus} {share:.3f}" for corpus, share in figures[name].items()), flush=True)
    reached = figures["ours"]["all"]
    print(f"recall of gold characters in {BUDGET} tokens: {reached:.3f}, floor {floors['recall']}")
    return int(reached < floors["recall"] or reached < figures["fixed"]["all"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
