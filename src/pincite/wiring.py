"""Settings -> the parts. The only module that knows which implementation fills which socket.

In: settings, a store's place. Out: `pipeline.Parts` and the flow of a source.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from pincite import pipeline
from pincite.chunk.chunker import StructureChunker
from pincite.context.headers import HeaderContextualizer
from pincite.extract.extractor import DefaultExtractor
from pincite.index.lexical import LexicalIndex
from pincite.protocols import Clock, Evidence
from pincite.settings import Settings
from pincite.store.sqlite import SqliteStore
from pincite.types import Capture, PageOutcome, Policy, Source, Wanted


def now() -> datetime:
    """Return the present moment, in UTC, cut to milliseconds as stored times are."""
    moment = datetime.now(UTC)
    return moment.replace(microsecond=moment.microsecond // 1000 * 1000)


def parts(place: str, settings: Settings, *, create: bool, read_only: bool, clock: Clock = now) -> pipeline.Parts:
    """Open the store and its index and wire the stages. Raises StoreError."""
    store = SqliteStore.open(place, create=create, read_only=read_only)
    return pipeline.Parts(
        store=store,
        index=LexicalIndex.open(store.index_place, read_only=store.read_only),
        extractor=DefaultExtractor(),
        chunker=StructureChunker(),
        contextualizer=HeaderContextualizer(),
        clock=clock,
    )
