"""The built-in vector store: one SQLite file, searched by binary codes, the best scored again exactly.

In: points with their vectors. Out: the nearest passages with cosine similarities. The file names the model and the number of dimensions;
another model's vectors are refused, a damaged file is begun anew. Codes (one bit a dimension) stay in memory, vectors in the file, apart
from the codes, so that opening it reads no vector.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pincite.errors import StoreError
from pincite.types import Point

log = logging.getLogger("pincite.index")
Floats = NDArray[np.float32]
RESCORE = 4
"""How many times the wanted number is taken by binary code and scored again."""
RESCORE_LEAST = 400
"""At least so many are scored again, of vectors of `USUAL` numbers: recall@10 ≥ 0.95 in measurement (benchmarks/search.py)."""
USUAL = 384
"""Shorter vectors have coarser codes, so that more of them are scored again."""
STEP = 500

_SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists point (n integer primary key, id text not null, holding integer not null, source text not null,
    code blob not null);
create index if not exists point_holding on point (holding);
create table if not exists value (n integer primary key, data blob not null);
"""


class VectorFile:
    """Vectors of one model, in one file. Implements the VectorStore socket."""

    def __init__(self, connection: sqlite3.Connection, model: str) -> None:
        self._db = connection
        self._model = model
        self._rows: NDArray[np.int64] = np.zeros(0, np.int64)
        self._sources: NDArray[np.int32] = np.zeros(0, np.int32)
        self._names: dict[str, int] = {}
        self._codes: NDArray[np.uint64] = np.zeros((0, 0), np.uint64)
        self._loaded = -1

    @classmethod
    def open(cls, path: str | Path | None, model: str, *, read_only: bool = False) -> Self:
        """Open or make the file; in memory without a path. Raises StoreError where it holds another model's vectors."""
        if read_only:
            return cls._opened_to_read(path, model)
        try:
            return cls(_connected(path), model).agreed(path)
        except sqlite3.DatabaseError as error:
            if path is None or (isinstance(error, sqlite3.OperationalError) and "no such column" not in str(error)):
                raise StoreError(f"The vectors in {path} can't be opened: {error}.") from error
            log.warning("The vectors in %s are damaged and are placed again: %s", path, error)
            for name in (f"{path}", f"{path}-wal", f"{path}-shm"):
                Path(name).unlink(missing_ok=True)
            return cls(_connected(path), model).agreed(path)

    @classmethod
    def _opened_to_read(cls, path: str | Path | None, model: str) -> Self:
        """Open what is there, else begin in memory."""
        try:
            connection = sqlite3.connect(f"{Path(path or '').absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False)
            connection.execute("select p.n, p.id, p.holding, p.source, p.code, v.data from point p join value v on v.n = p.n limit 1")
        except sqlite3.Error:
            return cls.open(None, model)
        return cls(connection, model)

    def agreed(self, path: str | Path | None) -> Self:
        """Write down the model in a new file. Raises StoreError where another one is written, sqlite3.DatabaseError for a damaged file."""
        told = self._told("model")
        if told is not None and told != self._model:
            self._db.close()
            raise StoreError(
                f"The vectors were made by {told}, not by {self._model}. Set embed_model back, or delete {path} and run"
                " `pincite reindex --embed` to have them made anew.",
                rule="model",
            )
        self._db.execute("insert or ignore into about values ('model', ?)", (self._model,))
        self._db.execute("select p.n, p.id, p.holding, p.source, p.code, v.data from point p join value v on v.n = p.n limit 1")
        return self

    def _told(self, name: str) -> str | None:
        row = self._db.execute("select value from about where name = ?", (name,)).fetchone()
        return str(row[0]) if row else None

    def seen(self) -> int:
        """Return the sequence number of the change log that it has followed."""
        return int(self._told("followed") or 0)

    def write(self, points: Sequence[Point], gone: Collection[int], seen: int) -> None:
        """Drop, put and note, in one transaction. Raises StoreError for another number of dimensions than the file's."""
        units = [_unit(point.vector) for point in points]
        dropped = [(holding,) for holding in {*gone, *(point.holding for point in points)}]
        with self._db:
            self._db.execute("begin immediate")
            if units:
                self._same_length(len(units[0]))
            self._db.executemany("delete from value where n in (select n from point where holding = ?)", dropped)
            self._db.executemany("delete from point where holding = ?", dropped)
            (last,) = self._db.execute("select coalesce(max(n), 0) from point").fetchone()
            rows = enumerate(zip(points, units, strict=True), last + 1)
            put = [((n, p.id, p.holding, p.source, _codes(unit[None, :]).tobytes()), (n, unit.tobytes())) for n, (p, unit) in rows]
            self._db.executemany("insert into point values (?, ?, ?, ?, ?)", (point for point, _ in put))
            self._db.executemany("insert into value values (?, ?)", (value for _, value in put))
            self._db.execute("insert or replace into about values ('followed', ?)", (str(seen),))
            self._db.execute("insert or replace into about values ('writes', ?)", (str(int(self._told("writes") or 0) + 1),))

    def _same_length(self, dimension: int) -> None:
        told = self._told("dimension")
        if told is None:
            self._db.execute("insert into about values ('dimension', ?)", (str(dimension),))
        elif int(told) != dimension:
            raise StoreError(f"{self._model} gives {dimension} dimensions, the vectors placed before have {told}.", rule="model")

    def ids(self) -> Iterator[str]:
        """Yield every passage id that has a vector."""
        yield from (row[0] for row in self._db.execute("select distinct id from point order by id"))

    def clear(self) -> None:
        """Forget everything but the model's name."""
        with self._db:
            self._db.execute("begin immediate")
            self._db.execute("delete from point")
            self._db.execute("delete from value")
            self._db.execute("delete from about where name in ('followed', 'dimension')")
            self._db.execute("insert or replace into about values ('writes', ?)", (str(int(self._told("writes") or 0) + 1),))

    def nearest(self, vector: Sequence[float], limit: int, sources: Sequence[str] = ()) -> list[tuple[str, float]]:
        """Return the nearest passages with their cosine similarities, best first."""
        self._load()
        query = _unit(np.asarray(vector, np.float32).tobytes())
        among = self._among(sources)
        if not len(among):
            return []
        taken = max(RESCORE_LEAST * -(-USUAL // len(query)), RESCORE * limit)
        if len(among) > taken:
            distance = self._distances(_codes(query[None, :])[0])
            among = among[np.argpartition(distance if len(among) == len(distance) else distance[among], taken)[:taken]]
        ids, matrix = self._read(self._rows[among].tolist())
        scores = matrix @ query
        best: dict[str, float] = {}
        for i in np.argsort(-scores, kind="stable").tolist():
            best.setdefault(ids[i], float(scores[i]))
            if len(best) == limit:
                break
        return list(best.items())

    def _distances(self, code: NDArray[np.uint64]) -> NDArray[np.uint16]:
        """Return how many bits of each code differ, word by word: each word of all codes lies in one row."""
        distance = np.zeros(len(self._rows), np.uint16)
        for words, word in zip(self._codes, code, strict=True):
            distance += np.bitwise_count(words ^ word)
        return distance

    def _among(self, sources: Sequence[str]) -> NDArray[np.intp]:
        if not sources:
            return np.arange(len(self._rows))
        return np.flatnonzero(np.isin(self._sources, [self._names[name] for name in sources if name in self._names]))

    def _read(self, rows: list[int]) -> tuple[list[str], Floats]:
        found: list[tuple[str, bytes]] = []
        for start in range(0, len(rows), STEP):
            part = sorted(rows[start : start + STEP])
            marks = ",".join("?" * len(part))
            found += self._db.execute(f"select p.id, v.data from point p join value v on v.n = p.n where p.n in ({marks})", part)
        found.sort()
        flat = np.frombuffer(b"".join(value for _, value in found), np.float32)
        return [id for id, _ in found], flat.reshape(len(found), -1)

    def _load(self) -> None:
        """Read the codes again when somebody, this process or another, has written since."""
        writes = int(self._told("writes") or 0)
        if writes == self._loaded:
            return
        rows = self._db.execute("select n, source, code from point order by n").fetchall()
        self._names = {name: n for n, name in enumerate(sorted({row[1] for row in rows}))}
        self._rows = np.fromiter((row[0] for row in rows), np.int64, len(rows))
        self._sources = np.fromiter((self._names[row[1]] for row in rows), np.int32, len(rows))
        flat = np.frombuffer(b"".join(row[2] for row in rows), np.uint64)
        self._codes = np.ascontiguousarray(flat.reshape(len(rows), -1).T) if rows else np.zeros((0, 0), np.uint64)
        self._loaded = writes

    def shut(self) -> None:
        """Close the file."""
        self._db.close()


def _connected(path: str | Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(str(path) if path else ":memory:", isolation_level=None, check_same_thread=False)
    try:
        connection.execute("pragma journal_mode=wal")
        connection.executescript(_SCHEMA)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _unit(vector: bytes) -> Floats:
    array = np.frombuffer(vector, "<f4").astype(np.float32)
    length = float(np.linalg.norm(array))
    return array / np.float32(length) if length else array


def _codes(matrix: Floats) -> NDArray[np.uint64]:
    """Return one bit a dimension, its sign, packed into 64-bit words."""
    bits = np.packbits(matrix > 0, axis=1)
    padded = np.zeros((len(bits), -(-bits.shape[1] // 8) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)
