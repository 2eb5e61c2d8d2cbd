"""The built-in vector store: vectors in one SQLite file, searched by binary codes, the best scored again exactly.

In: ids with their vectors. Out: the nearest ids with cosine similarities. The file names the model and its dimension; another model's
vectors are refused, a damaged file is begun anew. Vectors are kept under the digest of the embedded text, so that the same text is
never embedded twice.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from pincite.errors import StoreError

log = logging.getLogger("pincite.index")
Floats = NDArray[np.float32]
RESCORE = 16
"""How many times the wanted number is taken by binary code and scored again: recall@10 ≥ 0.95 in measurement."""

_SCHEMA = """
create table if not exists about (name text primary key, value text not null);
create table if not exists vector (digest text primary key, value blob not null);
create table if not exists place (id text primary key, digest text not null);
"""


class VectorFile:
    """Vectors of one model, in one file."""

    def __init__(self, connection: sqlite3.Connection, model: str) -> None:
        self._db = connection
        self._model = model
        self._ids: list[str] = []
        self._matrix: Floats = np.zeros((0, 0), np.float32)
        self._codes: NDArray[np.uint64] = np.zeros((0, 0), np.uint64)
        self._stale = True

    @classmethod
    def open(cls, path: str | Path | None, model: str) -> Self:
        """Open or make the file; in memory without a path. Raises StoreError where it holds another model's vectors."""
        try:
            return cls(_connected(path), model).agreed(path)
        except sqlite3.DatabaseError as error:
            if path is None or isinstance(error, sqlite3.OperationalError):
                raise StoreError(f"The vectors in {path} can't be opened: {error}.") from error
            log.warning("The vectors in %s are damaged and are made again: %s", path, error)
            for name in (f"{path}", f"{path}-wal", f"{path}-shm"):
                Path(name).unlink(missing_ok=True)
            return cls(_connected(path), model).agreed(path)

    def agreed(self, path: str | Path | None) -> Self:
        """Write down the model in a new file. Raises StoreError where another one is written, sqlite3.DatabaseError for a damaged file."""
        row = self._db.execute("select value from about where name = 'model'").fetchone()
        if row and row[0] != self._model:
            self._db.close()
            raise StoreError(
                f"The vectors were made by {row[0]}, not by {self._model}. Set embed_model back, or delete {path} to have them made anew.",
                rule="model",
            )
        self._db.execute("insert or ignore into about values ('model', ?)", (self._model,))
        return self

    def seen(self) -> int:
        """Return the sequence number of the change log that the places have followed."""
        row = self._db.execute("select value from about where name = 'seen'").fetchone()
        return int(row[0]) if row else 0

    def known(self, digests: Collection[str]) -> set[str]:
        """Return which digests have a vector already."""
        found: set[str] = set()
        wanted = list(digests)
        for start in range(0, len(wanted), 500):
            part = wanted[start : start + 500]
            found.update(r[0] for r in self._db.execute(f"select digest from vector where digest in ({_marks(part)})", part))
        return found

    def keep(self, vectors: Iterable[tuple[str, Sequence[float]]]) -> None:
        """Store vectors under digests, in one transaction. Raises StoreError for another dimension than the file's."""
        rows = [(digest, _unit(vector).tobytes()) for digest, vector in vectors]
        if not rows:
            return
        self._check(len(rows[0][1]) // 4)
        with self._db:
            self._db.execute("begin")
            self._db.executemany("insert or ignore into vector values (?, ?)", rows)

    def _check(self, dimension: int) -> None:
        row = self._db.execute("select value from about where name = 'dimension'").fetchone()
        if row is None:
            self._db.execute("insert into about values ('dimension', ?)", (str(dimension),))
        elif int(row[0]) != dimension:
            raise StoreError(
                f"{self._model} gives {dimension} dimensions, the stored vectors have {row[0]}. Delete vectors.db in the index folder:"
                " they are then made anew.",
                rule="model",
            )

    def place(self, put: Sequence[tuple[str, str]], drop: Sequence[str], seen: int) -> None:
        """Say which ids stand for which digests, which are gone, and what has been seen: one transaction."""
        with self._db:
            self._db.execute("begin")
            self._db.executemany("delete from place where id = ?", [(id,) for id in drop])
            self._db.executemany("insert or replace into place values (?, ?)", put)
            self._db.execute("insert or replace into about values ('seen', ?)", (str(seen),))
        self._stale = True

    def ids(self) -> Iterator[str]:
        """Yield every id that has a vector."""
        yield from (row[0] for row in self._db.execute("select p.id from place p join vector v on v.digest = p.digest order by p.id"))

    def forget(self) -> None:
        """Drop the places, not the vectors: a replay finds each text's vector again."""
        self.place((), [row[0] for row in self._db.execute("select id from place")], 0)

    def nearest(self, vector: Sequence[float], limit: int) -> list[tuple[str, float]]:
        """Return the nearest ids with their cosine similarities, best first."""
        self._load()
        if not self._ids:
            return []
        query = _unit(vector)
        if len(self._ids) > RESCORE * limit:
            distance = np.bitwise_count(self._codes ^ _codes(query[None, :])).sum(axis=1, dtype=np.uint16)
            rows = np.argpartition(distance, RESCORE * limit)[: RESCORE * limit]
        else:
            rows = np.arange(len(self._ids))
        scores = self._matrix[rows] @ query
        best = np.argsort(-scores, kind="stable")[:limit]
        return [(self._ids[int(rows[i])], float(scores[i])) for i in best]

    def _load(self) -> None:
        if not self._stale:
            return
        rows = self._db.execute("select p.id, v.value from place p join vector v on v.digest = p.digest order by p.id").fetchall()
        self._ids = [row[0] for row in rows]
        flat = np.frombuffer(b"".join(row[1] for row in rows), np.float32)
        self._matrix = flat.reshape(len(rows), -1) if rows else np.zeros((0, 0), np.float32)
        self._codes = _codes(self._matrix) if rows else np.zeros((0, 0), np.uint64)
        self._stale = False

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


def _unit(vector: Sequence[float]) -> Floats:
    array = np.asarray(vector, np.float32)
    length = float(np.linalg.norm(array))
    return array / np.float32(length) if length else array


def _codes(matrix: Floats) -> NDArray[np.uint64]:
    """Return one bit a dimension, its sign, packed into 64-bit words."""
    bits = np.packbits(matrix > 0, axis=1)
    padded = np.zeros((len(bits), -(-bits.shape[1] // 8) * 8), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(np.uint64)


def _marks(values: Sequence[str]) -> str:
    return ",".join("?" * len(values))
