"""Vectors in PostgreSQL with the extension pgvector.

In: points, vectors. Out: the nearest passages. The server is dialled at exactly the configured address. Points and what has been followed
are written in one transaction; a connection that was lost is opened again once.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Self, TypeVar

from pincite.adapters.embedders import needed
from pincite.adapters.points import agreed, numbers, unlike, unreachable
from pincite.errors import UsageError
from pincite.types import Point

T = TypeVar("T")
INDEXED_DIMENSIONS = 2000
"""pgvector's HNSW index takes vectors of at most so many numbers; longer ones are scanned."""
EF_MOST = 1000
"""The largest hnsw.ef_search that pgvector takes."""


class PgVectorStore:
    """One table and a small one beside it. Implements the VectorStore socket."""

    def __init__(self, where: str, name: str, model: str) -> None:
        self._pg = needed("psycopg", "pincite[pgvector]")
        sql = needed("psycopg.sql", "pincite[pgvector]")
        self._where, self._model = where, model
        self._table, self._beside = sql.Identifier(name), sql.Identifier(f"{name}_about")
        self._sql = sql.SQL
        self._db: Any = None
        agreed(_shown(where), name, self._run(self._made), model)

    @classmethod
    def open(cls, where: str, name: str, model: str) -> Self:
        """Open or make the tables. Raises StoreError, UsageError without the package or for an address that is none."""
        if not where.startswith(("postgresql://", "postgres://")):
            raise UsageError("pgvector needs the address of its database: set vectors_url to postgresql://user@host/database.")
        return cls(where, name, model)

    def _run(self, work: Callable[[Any], T]) -> T:
        """Do the work in one transaction, once more after a lost connection. Raises StoreError."""
        for again in (True, False):
            try:
                if self._db is None or self._db.closed:
                    self._db = self._pg.connect(self._where, connect_timeout=10)
                with self._db.transaction():
                    return work(self._db)
            except self._pg.OperationalError as error:
                lost = self._db is not None and self._db.broken
                if not (again and lost):
                    raise unreachable(_shown(self._where), error) from error
                self._db = None
            except self._pg.Error as error:
                raise unreachable(_shown(self._where), error) from error
        raise AssertionError("the second try returns or raises")

    def _made(self, db: Any) -> str:
        db.execute("select pg_advisory_xact_lock(1346981447)")  # two processes that make the same tables take turns
        db.execute("create extension if not exists vector")
        db.execute(self._sql("create table if not exists {} (name text primary key, value text not null)").format(self._beside))
        db.execute(self._sql("insert into {} values ('model', %s) on conflict do nothing").format(self._beside), (self._model,))
        return self._told(db, "model")

    def _told(self, db: Any, name: str) -> str:
        row = db.execute(self._sql("select value from {} where name = %s").format(self._beside), (name,)).fetchone()
        return str(row[0]) if row else ""

    def _note(self, db: Any, name: str, value: str) -> None:
        put = "insert into {} values (%s, %s) on conflict (name) do update set value = excluded.value"
        db.execute(self._sql(put).format(self._beside), (name, value))

    def seen(self) -> int:
        """Return the sequence number of the change log that it has followed."""
        return int(self._run(lambda db: self._told(db, "followed")) or 0)

    def write(self, points: Sequence[Point], gone: Collection[int], seen: int) -> None:
        """Drop, put and note, in one transaction. Raises StoreError."""
        self._run(lambda db: self._written(db, points, gone, seen))

    def _written(self, db: Any, points: Sequence[Point], gone: Collection[int], seen: int) -> None:
        if points:
            self._same_length(db, len(points[0].vector) // 4)
        if self._told(db, "dimension"):
            db.execute(self._sql("delete from {} where holding = any(%s)").format(self._table), (list(gone),))
            put = (
                "insert into {} (id, holding, source, value) values (%s, %s, %s, %s::vector)"
                " on conflict (id, holding) do update set value = excluded.value"
            )
            rows = [(p.id, p.holding, p.source, _text(numbers(p.vector))) for p in points]
            with db.cursor() as cursor:
                cursor.executemany(self._sql(put).format(self._table), rows)
        self._note(db, "followed", str(seen))

    def _same_length(self, db: Any, given: int) -> None:
        held = int(self._told(db, "dimension") or 0)
        if held and held != given:
            raise unlike(self._model, given, held)
        if held:
            return
        columns = "id text, holding bigint, source text not null, value vector({}) not null, primary key (id, holding)"
        length = needed("psycopg.sql", "pincite[pgvector]").Literal(given)
        db.execute(self._sql("create table {} (" + columns + ")").format(self._table, length))
        db.execute(self._sql("create index on {} (holding)").format(self._table))
        db.execute(self._sql("create index on {} (source)").format(self._table))
        if given <= INDEXED_DIMENSIONS:
            db.execute(self._sql("create index on {} using hnsw (value vector_cosine_ops)").format(self._table))
        self._note(db, "dimension", str(given))

    def nearest(self, vector: Sequence[float], limit: int, sources: Sequence[str] = ()) -> list[tuple[str, float]]:
        """Return the nearest passages with their cosine similarities, best first. Raises StoreError."""
        return self._run(lambda db: self._near(db, list(map(float, vector)), limit, list(sources)))

    def _near(self, db: Any, vector: list[float], limit: int, sources: list[str]) -> list[tuple[str, float]]:
        if not self._told(db, "dimension"):
            return []
        db.execute(f"set local hnsw.ef_search = {min(EF_MOST, max(100, 2 * limit))}")
        db.execute("set local hnsw.iterative_scan = strict_order")
        among = " where source = any(%(sources)s)" if sources else ""
        query = "select id, 1 - (value <=> %(vector)s::vector) from {}" + among + " order by value <=> %(vector)s::vector limit %(limit)s"
        asked = {"vector": _text(vector), "sources": sources, "limit": limit}
        best: dict[str, float] = {}
        for id, score in db.execute(self._sql(query).format(self._table), asked):
            best.setdefault(str(id), float(score))
        return list(best.items())

    def ids(self) -> Iterator[str]:
        """Yield every passage id that has a vector."""
        yield from self._run(self._all)

    def _all(self, db: Any) -> list[str]:
        if not self._told(db, "dimension"):
            return []
        return [str(row[0]) for row in db.execute(self._sql("select distinct id from {} order by id").format(self._table))]

    def clear(self) -> None:
        """Forget everything but the model's name. Raises StoreError."""
        self._run(self._cleared)

    def _cleared(self, db: Any) -> None:
        db.execute(self._sql("drop table if exists {}").format(self._table))
        db.execute(self._sql("delete from {} where name <> 'model'").format(self._beside))

    def shut(self) -> None:
        """Close the connection."""
        if self._db is not None:
            self._db.close()


def _text(vector: Sequence[float]) -> str:
    return "[" + ",".join(map(repr, vector)) + "]"


def _shown(where: str) -> str:
    """Return the address without its password."""
    scheme, _, rest = where.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"
