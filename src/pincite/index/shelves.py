"""The four indexes that make one: of chunks, of sections and of pages of prose, and of program text.

In: a folder, or nothing. Out: indexes opened, written, read together. They are apart because BM25 weighs a word by how many texts of its
kind hold it and how long such texts are; tantivy counts everything that lies in one index. Each keeps the number it has seen; what one
has missed is replayed to all, which doubles nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Self

import tantivy

from pincite.index import folder, schema
from pincite.index.schema import Documents


@dataclass(frozen=True, slots=True)
class Shelves:
    """The indexes."""

    chunks: tantivy.Index
    parts: tantivy.Index
    pages: tantivy.Index
    program: tantivy.Index

    @classmethod
    def in_memory(cls) -> Self:
        """Return empty ones that live as long as the process."""
        return cls(*(folder.in_memory() for _ in folder.SHELVES))

    @classmethod
    def opened(cls, directory: Path, *, read_only: bool) -> Self | None:
        """Open or make those on disk; None where they can only be kept in memory."""
        found = [folder.opened(directory, shelf, read_only=read_only) for shelf in folder.SHELVES]
        held = [index for index in found if index is not None]
        return cls(*held) if len(held) == len(found) else None

    @classmethod
    def fresh(cls, directory: Path) -> Self | None:
        """Throw those on disk away and return empty ones; None where that can't be done."""
        made = [folder.fresh(directory, shelf) for shelf in folder.SHELVES]
        held = [index for index in made if index is not None]
        return cls(*held) if len(held) == len(made) else None

    def read(self) -> Read:
        """Return the state that was committed last."""
        indexes = (self.chunks, self.parts, self.pages, self.program)
        for index in indexes:
            index.reload()
        searchers = [index.searcher() for index in indexes]
        seen = min(folder.seen_in(searcher, self.chunks.schema) for searcher in searchers)
        return Read(self.chunks.schema, seen, *searchers)

    def writing(self) -> Writing | None:
        """Take the writer locks, or return None while another process holds the first."""
        chunks = folder.writer(self.chunks, folder.HEAP_BYTES)
        if chunks is None:
            return None
        others = [folder.writer(index, folder.HEAP_BYTES) for index in (self.parts, self.pages, self.program)]
        held = [writer for writer in others if writer is not None]
        assert len(held) == len(others), "whoever holds the first lock holds all"
        return Writing(self.chunks.schema, chunks, *held)


@dataclass(frozen=True, slots=True)
class Read:
    """One state of the four, and the sequence number that all of them have seen."""

    schema: tantivy.Schema
    seen: int
    chunks: tantivy.Searcher
    parts: tantivy.Searcher
    pages: tantivy.Searcher
    program: tantivy.Searcher


@dataclass(frozen=True, slots=True)
class Writing:
    """The writers of the four."""

    schema: tantivy.Schema
    chunks: tantivy.IndexWriter
    parts: tantivy.IndexWriter
    pages: tantivy.IndexWriter
    program: tantivy.IndexWriter

    def clear(self) -> None:
        """Delete everything."""
        for writer in (self.chunks, self.parts, self.pages, self.program):
            writer.delete_all_documents()

    def drop(self, holding: int) -> None:
        """Delete what stands of a holding."""
        for writer in (self.chunks, self.parts, self.pages, self.program):
            writer.delete_documents_by_query(tantivy.Query.term_query(self.schema, "holding", holding, "basic"))

    def add(self, documents: Documents) -> None:
        """Add the documents of a holding."""
        writers = {"chunks": self.chunks, "parts": self.parts, "pages": self.pages, "program": self.program}
        for shelf, document in documents:
            writers[shelf].add_document(document)

    def commit(self, seen: int) -> None:
        """Commit all with the number that they have then seen."""
        for writer in (self.program, self.pages, self.parts, self.chunks):
            writer.delete_documents_by_term("what", "seen")
            writer.add_document(schema.seen_document(seen))
            writer.commit()

    def close(self) -> None:
        """Wait for what is merged in the background and give the locks back."""
        for writer in (self.parts, self.pages, self.program, self.chunks):
            writer.wait_merging_threads()
