"""Jobs on disk, beside the library: shared by all worker processes, and still there after a crash.

In: what to capture, who asked, an idempotency key. Out: `Job` values and their events. A job is claimed with a lease; one whose process
died is claimed again when the lease has run out. Jobs are errands, not evidence: losing this file loses no knowledge.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from pincite.errors import StoreError
from pincite.protocols import Clock
from pincite.types import digest, timestamp

State = Literal["queued", "running", "done", "failed", "cancelled"]
LEASE_S = 30.0
ATTEMPTS = 3
KEPT_JOBS = 1000
SCHEMA = """
create table if not exists job (
  seq integer primary key autoincrement, id text unique not null, kind text not null, source text not null, request text not null,
  subject text not null, idempotency text, state text not null, attempts integer not null default 0, lease real not null default 0,
  cancel integer not null default 0, created_at text not null, started_at text, finished_at text,
  progress text not null default '{}', result text, error text, unique (subject, idempotency));
create table if not exists event (job text not null, n integer not null, name text not null, data text not null, primary key (job, n));
create table if not exists delivery (id text primary key, at real not null);
"""
COLUMNS = (
    "id, kind, source, request, subject, idempotency, state, attempts, cancel, created_at, started_at, finished_at, progress, result, error"
)


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Job:
    """One errand and how far it is."""

    id: str
    kind: str
    source: str
    request: str
    subject: str
    idempotency: str | None
    state: State
    attempts: int
    cancel: bool
    created_at: str
    started_at: str | None
    finished_at: str | None
    progress: dict[str, int]
    result: dict[str, Any] | None
    error: dict[str, Any] | None

    @property
    def ended(self) -> bool:
        """Say whether nothing more will happen."""
        return self.state in ("done", "failed", "cancelled")

    def asks(self, kind: str, request: dict[str, Any]) -> bool:
        """Say whether the job was queued for this request."""
        return self.kind == kind and self.request == json.dumps(request, sort_keys=True)

    def shape(self) -> dict[str, Any]:
        """Return the job as it is printed."""
        names = ("id", "kind", "state", "source", "created_at", "started_at", "finished_at", "progress", "result", "error")
        return {name: getattr(self, name) for name in names}


class JobStore:
    """The file. Each call opens its own connection, so that any thread may call."""

    def __init__(self, place: Path, clock: Clock = _now) -> None:
        self._place, self._clock = place, clock
        place.parent.mkdir(parents=True, exist_ok=True)
        with self._open() as db:
            db.executescript("pragma journal_mode = wal;" + SCHEMA)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            db = sqlite3.connect(self._place, timeout=10, isolation_level=None)
            try:
                db.execute("pragma synchronous = normal")
                yield db
            finally:
                db.close()
        except sqlite3.Error as error:
            raise StoreError(f"The list of jobs cannot be used: {error}.", rule="database") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._open() as db:
            db.execute("begin immediate")
            try:
                yield db
            except BaseException:
                db.execute("rollback")
                raise
            db.execute("commit")

    def submit(self, kind: str, source: str, request: dict[str, Any], subject: str, idempotency: str | None) -> Job:
        """Queue a job, or return the one that this subject queued under the same key, whatever its request was."""
        written, at = json.dumps(request, sort_keys=True), timestamp(self._clock())
        with self._writing() as db:
            if idempotency is not None and (held := _one(db, "subject = ? and idempotency = ?", subject, idempotency)):
                return held
            count = db.execute("select coalesce(max(seq), 0) from job").fetchone()[0]
            id = "job_" + digest(count + 1, kind, written, subject, at)[:12]
            db.execute(
                "insert into job (id, kind, source, request, subject, idempotency, state, created_at)"
                " values (?, ?, ?, ?, ?, ?, 'queued', ?)",
                (id, kind, source, written, subject, idempotency, at),
            )
            _tell(db, id, "queued", {})
            ended = "select id from job where state in ('done', 'failed', 'cancelled') order by seq desc limit -1 offset ?"
            db.execute(f"delete from event where job in ({ended})", (KEPT_JOBS,))
            db.execute(f"delete from job where id in ({ended})", (KEPT_JOBS,))
            made = _one(db, "id = ?", id)
        assert made is not None, "it was just written"
        return made

    def job(self, id: str) -> Job | None:
        """Return a job."""
        with self._open() as db:
            return _one(db, "id = ?", id)

    def open_jobs(self) -> int:
        """Return how many jobs are queued or running."""
        with self._open() as db:
            count: int = db.execute("select count(*) from job where state in ('queued', 'running')").fetchone()[0]
        return count

    def claim(self, at: float) -> Job | None:
        """Take the oldest job that nobody works on and whose source nobody works on; one that died too often fails."""
        with self._writing() as db:
            dead = db.execute("select id from job where state = 'running' and lease < ? and attempts >= ?", (at, ATTEMPTS)).fetchall()
            for (id,) in dead:
                self._end(
                    db,
                    id,
                    "failed",
                    error={"title": "The capture was interrupted too often", "status": 500, "detail": f"{ATTEMPTS} times."},
                )
            busy = "select source from job where state = 'running' and lease >= ? and source != ''"
            ready = "(state = 'queued' or (state = 'running' and lease < ?))"
            row = db.execute(f"select id from job where {ready} and source not in ({busy}) order by seq limit 1", (at, at)).fetchone()
            if row is None:
                return None
            db.execute(
                "update job set state = 'running', lease = ?, attempts = attempts + 1, started_at = coalesce(started_at, ?) where id = ?",
                (at + LEASE_S, timestamp(self._clock()), row[0]),
            )
            _tell(db, row[0], "started", {})
            return _one(db, "id = ?", row[0])

    def beat(self, id: str, progress: dict[str, int], at: float) -> bool:
        """Renew the lease, note the progress, and say whether the job may go on."""
        with self._writing() as db:
            db.execute("update job set lease = ? where id = ?", (at + LEASE_S, id))
            if progress:
                db.execute("update job set progress = ? where id = ?", (json.dumps(progress), id))
                _tell(db, id, "progress", progress)
            row = db.execute("select cancel from job where id = ?", (id,)).fetchone()
        return row is not None and not row[0]

    def release(self, id: str) -> None:
        """Give a job back that the server's stop interrupted; the attempt does not count."""
        with self._writing() as db:
            db.execute("update job set state = 'queued', lease = 0, attempts = max(0, attempts - 1) where id = ?", (id,))
            _tell(db, id, "queued", {})

    def end(self, id: str, state: State, *, result: dict[str, Any] | None = None, error: dict[str, Any] | None = None) -> None:
        """Note how a job ended."""
        with self._writing() as db:
            self._end(db, id, state, result=result, error=error)

    def cancel(self, id: str) -> Job | None:
        """Cancel a job: at once while it waits, at its next page while it runs."""
        with self._writing() as db:
            held = _one(db, "id = ?", id)
            if held is not None and held.state == "queued":
                self._end(db, id, "cancelled")
            elif held is not None and held.state == "running":
                db.execute("update job set cancel = 1 where id = ?", (id,))
            return _one(db, "id = ?", id)

    def events(self, id: str, after: int) -> list[tuple[int, str, dict[str, Any]]]:
        """Return the events after that number, in order."""
        with self._open() as db:
            rows = db.execute("select n, name, data from event where job = ? and n > ? order by n", (id, after)).fetchall()
        return [(n, name, json.loads(data)) for n, name, data in rows]

    def delivered_before(self, id: str, at: float, window_s: float) -> bool:
        """Note a webhook delivery and say whether it came before; those older than twice the window are forgotten."""
        with self._writing() as db:
            db.execute("delete from delivery where at < ?", (at - 2 * window_s,))
            return db.execute("insert or ignore into delivery values (?, ?)", (id, at)).rowcount == 0

    def _end(
        self, db: sqlite3.Connection, id: str, state: State, *, result: dict[str, Any] | None = None, error: dict[str, Any] | None = None
    ) -> None:
        at, said = timestamp(self._clock()), [None if part is None else json.dumps(part) for part in (result, error)]
        db.execute("update job set state = ?, finished_at = ?, result = ?, error = ? where id = ?", (state, at, *said, id))
        _tell(db, id, state, {"result": result} if result is not None else {"error": error} if error is not None else {})


def _one(db: sqlite3.Connection, where: str, *values: str) -> Job | None:
    row = db.execute(f"select {COLUMNS} from job where {where}", values).fetchone()
    if row is None:
        return None
    progress, result, error = (json.loads(text) if text is not None else None for text in row[12:])
    return Job(
        id=row[0],
        kind=row[1],
        source=row[2],
        request=row[3],
        subject=row[4],
        idempotency=row[5],
        state=row[6],
        attempts=row[7],
        cancel=bool(row[8]),
        created_at=row[9],
        started_at=row[10],
        finished_at=row[11],
        progress=progress or {},
        result=result,
        error=error,
    )


def _tell(db: sqlite3.Connection, id: str, name: str, data: dict[str, Any]) -> None:
    n = db.execute("select coalesce(max(n), 0) + 1 from event where job = ?", (id,)).fetchone()[0]
    db.execute("insert into event values (?, ?, ?, ?)", (id, n, name, json.dumps(data)))
