"""A child process that turns snapshots into documents and chunks: what is heavy, and what a hostile page could bring down.

In, on stdin: the user's rules and what a page may cost, then snapshots. Out, on stdout: a word when it is ready, then for each snapshot the
document with its chunks, or the reason why there is none.
A message is its length and a pickle; `lanes` is the other end. The process ends when stdin does, so none outlives its parent.
"""

from __future__ import annotations

import copyreg
import io
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from dataclasses import fields
from operator import attrgetter
from typing import IO, Any

from pincite.errors import PinciteError
from pincite.protocols import Chunker, Extractor
from pincite.types import Block, Capture, Chunk, Document, Section, Snapshot, Span

PAGE_CPU_S = 120.0
"""Processor time that one page may take; the slowest page of three documentation sites took 3 s, a PDF of 5,000 pages may take a minute."""
MEMORY_BYTES = 4 * 1024**3
"""Address space of the process."""
TOO_COMPLEX = "too complex"
_LENGTH = struct.Struct(">Q")
_SENT = (Snapshot, Capture, Document, Section, Block, Span, Chunk)
_KNOWN = {(kind.__module__, kind.__qualname__): kind for kind in _SENT}
_OTHERS = {("datetime", "datetime"), ("datetime", "timezone"), ("datetime", "timedelta")}
Made = tuple[Document, tuple[Chunk, ...]]


def send(pipe: IO[bytes], value: Any) -> None:
    """Write one message."""
    data = io.BytesIO()
    pickler = pickle.Pickler(data, protocol=5)
    pickler.dispatch_table = _TABLE
    pickler.dump(value)
    pipe.write(_LENGTH.pack(data.tell()))
    pipe.write(data.getbuffer())
    pipe.flush()


def receive(pipe: IO[bytes]) -> Any:
    """Read one message. Raises EOFError when there is none, and ValueError for values that are no pages or documents."""
    head = pipe.read(_LENGTH.size)
    if len(head) < _LENGTH.size:
        raise EOFError
    data = pipe.read(_LENGTH.unpack(head)[0])
    if len(data) < _LENGTH.unpack(head)[0]:
        raise EOFError
    return _Values(io.BytesIO(data)).load()


class _Values(pickle.Unpickler):
    """Makes values of `types` and nothing else, so that a child that a page took over can't make the parent run code."""

    def find_class(self, module: str, name: str) -> Any:
        """Return a class of values."""
        if (module, name) in _KNOWN:
            return _KNOWN[module, name]
        if (module, name) in _OTHERS:
            return super().find_class(module, name)
        raise ValueError(f"{module}.{name} is no value that a lane sends.")


def _table() -> dict[type[Any], Callable[[Any], Any]]:
    """Return how values are taken apart: as calls of their classes, twice as fast as what dataclasses with slots do by themselves."""

    def taken_apart(kind: type[Any]) -> Callable[[Any], Any]:
        parts = attrgetter(*(field.name for field in fields(kind)))
        return lambda value: (kind, parts(value))

    return {**copyreg.dispatch_table, **{kind: taken_apart(kind) for kind in _SENT}}


_TABLE = _table()


def main() -> None:
    """Work until stdin ends."""
    coming, going = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    from pincite import processing

    rules, cpu_s = receive(coming)
    extractor, chunker = processing.extractor_of(rules), processing.LateChunker()
    assert extractor.version, "loaded before a page's time begins"
    assert chunker.ready, "likewise"
    _limited()
    send(going, "")
    while True:
        try:
            snapshot = receive(coming)
        except EOFError:
            return
        send(going, _made(extractor, chunker, snapshot, cpu_s))


def _made(extractor: Extractor, chunker: Chunker, snapshot: Snapshot, cpu_s: float) -> Made | str:
    _timed(cpu_s)
    try:
        document = extractor.extract(snapshot)
        return document, chunker.chunk(document)
    except MemoryError:
        return TOO_COMPLEX
    except PinciteError as error:
        return error.rule or "unreadable"
    finally:
        _timed(0)


def _timed(seconds: float) -> None:
    """Let the system end this process after so much processor time, whatever it is doing then; 0 takes the limit away."""
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, seconds)


def _limited() -> None:
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if soft == resource.RLIM_INFINITY or soft > MEMORY_BYTES:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
