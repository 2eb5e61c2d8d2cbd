"""Segments on disk: one file each, and a list of those that hold.

In: a folder. Out: what it holds, or Damaged. A file is written whole, then forced to the disk, then named in the list, which is replaced in
one step: whoever is killed leaves the list of before or that of after. One process writes at a time; readers map the files.
"""

from __future__ import annotations

import json
import logging
import mmap
import os
import shutil
import struct
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any, cast, get_type_hints

import filelock
import numpy as np

from pincite.index.gathering import FORMAT
from pincite.index.segment import Array, Segment

log = logging.getLogger("pincite.index")
MAGIC = b"pincite\0"
LIST = "segments.json"
LOCK = "writing.lock"
ALIGNED = 64


class Damaged(Exception):
    """The index on disk does not hold together."""


@dataclass(frozen=True, slots=True)
class Held:
    """A segment, which of its holdings live, and the file it lies in."""

    segment: Segment
    alive: Array
    name: str = ""


@dataclass(frozen=True, slots=True)
class State:
    """What was committed last: the sequence number that was seen, and the segments."""

    seen: int = 0
    held: tuple[Held, ...] = ()


def place(directory: Path) -> Path:
    """Return the folder for this layout inside the store's index folder."""
    return directory / f"lexical-{FORMAT}"


def prepared(directory: Path) -> bool:
    """Make the folder, and remove those of older layouts with a word. Say whether it can be used."""
    folder = place(directory)
    try:
        for other in directory.glob("lexical-*") if directory.is_dir() else ():
            if other.name != folder.name:
                log.warning("The index in %s has an older layout and is built again.", other)
                shutil.rmtree(other, ignore_errors=True)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        log.warning("The index folder %s can't be used (%s); searching an index in memory.", folder, error.strerror or error)
        return False
    return True


def locked(directory: Path) -> filelock.BaseFileLock | None:
    """Take the lock of the one that writes, or return None while another process has it. It goes with the process. Raises OSError."""
    lock = filelock.FileLock(place(directory) / LOCK, thread_local=False)
    try:
        lock.acquire(blocking=False)
    except filelock.Timeout:
        return None
    return lock


def read(directory: Path, known: State) -> State:
    """Return the state that was committed last; segments of a known state are not opened again. Raises Damaged, OSError."""
    for attempt in range(20):
        listed = _listed(directory)
        if listed is None:
            return State()
        held = {one.name: one for one in known.held}
        try:
            return State(int(listed["seen"]), tuple(_held(directory, entry, held.get(str(entry["name"]))) for entry in listed["segments"]))
        except FileNotFoundError as error:  # merged away by another process between the list and the file
            if attempt == 19:
                raise Damaged(f"{error.filename} is missing") from error
            time.sleep(0.01)
        except (KeyError, TypeError, ValueError) as error:
            raise Damaged(f"{LIST}: {error}") from error
    raise AssertionError("the last attempt returns or raises")


def _listed(directory: Path) -> dict[str, Any] | None:
    try:
        listed = json.loads((place(directory) / LIST).read_bytes())
    except FileNotFoundError:
        return None
    except ValueError as error:
        raise Damaged(f"{LIST}: {error}") from error
    if not isinstance(listed, dict) or listed.get("format") != FORMAT:
        raise Damaged(f"{LIST} is of another layout")
    return listed


def _held(directory: Path, entry: dict[str, Any], known: Held | None) -> Held:
    segment = known.segment if known else load(place(directory) / str(entry["name"]), int(entry["sum"]))
    alive = np.ones(len(segment.holdings.id), bool)
    dead = np.array(entry["dead"], np.int64)
    if len(dead) and not 0 <= int(dead.min()) <= int(dead.max()) < len(alive):
        raise Damaged(f"{LIST}: holdings that {entry['name']} has not")
    alive[dead] = False
    return Held(segment, alive, str(entry["name"]))


def commit(directory: Path, state: State, fresh: Sequence[Segment]) -> State:
    """Write the new segments, then the list; files that no state needs any more are removed. Raises OSError; nothing is lost then."""
    folder = place(directory)
    written: list[tuple[Held, int]] = []
    for segment in fresh:
        name = f"{time.time_ns():x}-{os.getpid():x}-{len(written)}.segment"
        total = dump(segment, folder / name)
        written.append((Held(segment, np.ones(len(segment.holdings.id), bool), name), total))
    before = {entry["name"]: entry["sum"] for entry in (_listed(directory) or {"segments": []})["segments"]}
    sums = before | {held.name: total for held, total in written}
    held = (*state.held, *(one for one, _ in written))
    listed = {
        "format": FORMAT,
        "seen": state.seen,
        "segments": [{"name": h.name, "sum": sums[h.name], "dead": np.flatnonzero(~h.alive).tolist()} for h in held],
    }
    _replaced(folder / LIST, json.dumps(listed).encode())
    names = {h.name for h in held}
    for file in folder.glob("*.segment"):
        if file.name not in names:
            with suppress(OSError):  # Windows keeps what a reader has mapped; the next commit removes it
                file.unlink()
    return State(state.seen, held)


def emptied(directory: Path) -> bool:
    """Throw what the folder holds away; say whether that could be done. The lock stays."""
    folder = place(directory)
    try:
        for file in folder.iterdir():
            if file.name != LOCK:
                shutil.rmtree(file) if file.is_dir() else file.unlink()
    except OSError as error:
        log.warning("The index folder %s can't be made anew (%s); searching an index in memory.", folder, error.strerror or error)
        return False
    return True


def _replaced(path: Path, content: bytes) -> None:
    new = path.with_suffix(".new")
    with new.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
    if os.name == "posix":
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def dump(segment: Segment, path: Path) -> int:
    """Write a segment and return the sum of its content. Raises OSError."""
    arrays = {name: np.ascontiguousarray(values) for name, values in _arrays("", segment)}
    at, listed = 0, {}
    for name, values in arrays.items():
        listed[name] = (values.dtype.str, at, len(values))
        at += -(-values.nbytes // ALIGNED) * ALIGNED
    head = json.dumps(listed).encode()
    head += b" " * (-(len(head) + len(MAGIC) + 8) % ALIGNED)
    with path.open("wb") as file:
        for piece in (MAGIC, struct.pack("<Q", len(head)), head):
            file.write(piece)
        for values in arrays.values():
            file.write(values.data)
            file.write(b"\0" * (-values.nbytes % ALIGNED))
        file.flush()
        os.fsync(file.fileno())
    return _sum(np.memmap(path, np.uint64, "r"))


def _sum(words: Array) -> int:
    """Return a number that any changed word changes: that the file is whole is asked at each opening, and must cost little."""
    return int(np.bitwise_xor.reduce(words)) ^ int(np.add.reduce(words, dtype=np.uint64)) * 3 & (2**64 - 1)


def load(path: Path, total: int) -> Segment:
    """Map a segment. Raises Damaged where the file is not what was written, FileNotFoundError, OSError."""
    with path.open("rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < ALIGNED or size % 8:
            raise Damaged(f"{path.name} was cut off")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    if bytes(mapped[: len(MAGIC)]) != MAGIC or _sum(np.frombuffer(mapped, np.uint64)) != total:
        raise Damaged(f"{path.name} is not what was written")
    (length,) = struct.unpack_from("<Q", mapped, len(MAGIC))
    start = len(MAGIC) + 8
    listed = json.loads(bytes(mapped[start : start + length]))
    arrays = {name: np.frombuffer(mapped, np.dtype(kind), count, start + length + offset) for name, (kind, offset, count) in listed.items()}
    return cast(Segment, _made("", Segment, arrays))


def _arrays(prefix: str, value: Any) -> Iterator[tuple[str, Array]]:
    for field in fields(value):
        inner = getattr(value, field.name)
        yield from _arrays(f"{prefix}{field.name}.", inner) if is_dataclass(inner) else ((prefix + field.name, inner),)


def _made(prefix: str, kind: Any, arrays: dict[str, Array]) -> Any:
    hints = get_type_hints(kind)
    return kind(
        **{
            field.name: _made(f"{prefix}{field.name}.", hints[field.name], arrays)
            if is_dataclass(hints[field.name])
            else arrays[prefix + field.name]
            for field in fields(kind)
        }
    )
