"""The list of jobs: keys, leases, crashes, cancelling."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from pincite.serve.job_store import ATTEMPTS, LEASE_S, JobStore

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
REQUEST = {"location": "https://docs.example.org/", "name": None, "version": "", "policy": None}


@pytest.fixture
def jobs(tmp_path: Path) -> JobStore:
    return JobStore(tmp_path / "library.jobs.db", lambda: NOON)


def test_the_same_key_gives_the_same_job_and_another_subject_its_own(jobs: JobStore) -> None:
    first = jobs.submit("add", "docs", REQUEST, "ann", "k1")
    assert jobs.submit("add", "docs", REQUEST, "ann", "k1").id == first.id
    assert jobs.submit("add", "docs", REQUEST, "bob", "k1").id != first.id
    assert jobs.submit("add", "docs", REQUEST, "ann", None).id != first.id
    assert jobs.open_jobs() == 3


def test_a_key_used_for_something_else_is_noticed(jobs: JobStore) -> None:
    job = jobs.submit("add", "docs", REQUEST, "ann", "k1")
    assert job.asks("add", REQUEST)
    assert not job.asks("add", REQUEST | {"version": "2"})


def test_two_processes_never_take_the_same_job(jobs: JobStore, tmp_path: Path) -> None:
    jobs.submit("add", "docs", REQUEST, "ann", None)
    assert jobs.claim(1000.0) is not None
    assert JobStore(tmp_path / "library.jobs.db", lambda: NOON).claim(1000.0) is None


def test_one_source_is_captured_by_one_job_at_a_time(jobs: JobStore) -> None:
    first, second, other = (jobs.submit("add", source, REQUEST, "ann", None) for source in ("docs", "docs", "other"))
    claimed = [jobs.claim(1000.0), jobs.claim(1000.0), jobs.claim(1000.0)]
    assert [job.id if job else None for job in claimed] == [first.id, other.id, None]
    jobs.end(first.id, "done", result={})
    again = jobs.claim(1001.0)
    assert again is not None
    assert again.id == second.id


def test_a_job_whose_process_died_is_taken_again_and_at_last_fails(jobs: JobStore) -> None:
    job, at = jobs.submit("add", "docs", REQUEST, "ann", None), 1000.0
    for _ in range(ATTEMPTS):
        assert jobs.claim(at) is not None
        assert jobs.claim(at + LEASE_S - 1) is None
        at += LEASE_S + 1
    assert jobs.claim(at) is None
    ended = jobs.job(job.id)
    assert ended is not None
    assert (ended.state, ended.error is not None) == ("failed", True)


def test_a_stopped_server_gives_its_job_back_without_counting_the_attempt(jobs: JobStore) -> None:
    job = jobs.submit("add", "docs", REQUEST, "ann", None)
    for at in (1000.0, 1001.0, 1002.0, 1003.0, 1004.0):
        assert jobs.claim(at) is not None
        jobs.release(job.id)
    held = jobs.job(job.id)
    assert held is not None
    assert held.state == "queued"


def test_a_waiting_job_is_cancelled_at_once_and_a_running_one_at_its_next_beat(jobs: JobStore) -> None:
    waiting, running = jobs.submit("add", "b", REQUEST, "ann", None), jobs.submit("add", "a", REQUEST, "ann", None)
    cancelled = jobs.cancel(waiting.id)
    assert cancelled is not None
    assert cancelled.state == "cancelled"
    assert jobs.claim(1000.0) is not None
    assert jobs.beat(running.id, {"fetched": 1}, 1001.0)
    jobs.cancel(running.id)
    assert not jobs.beat(running.id, {"fetched": 2}, 1002.0)


def test_events_are_numbered_and_can_be_read_on_from_any(jobs: JobStore) -> None:
    job = jobs.submit("add", "docs", REQUEST, "ann", None)
    jobs.claim(1000.0)
    jobs.beat(job.id, {"fetched": 3}, 1001.0)
    jobs.beat(job.id, {}, 1002.0)
    jobs.end(job.id, "done", result={"chunks": 9})
    assert [(n, name) for n, name, _ in jobs.events(job.id, 0)] == [(1, "queued"), (2, "started"), (3, "progress"), (4, "done")]
    assert [data for _, _, data in jobs.events(job.id, 2)] == [{"fetched": 3}, {"result": {"chunks": 9}}]
    held = jobs.job(job.id)
    assert held is not None
    assert held.progress == {"fetched": 3}


def test_a_delivery_is_known_again_within_its_window_and_forgotten_after(jobs: JobStore) -> None:
    assert not jobs.delivered_before("msg_1", 1000.0, 300)
    assert jobs.delivered_before("msg_1", 1100.0, 300)
    assert not jobs.delivered_before("msg_1", 2000.0, 300)
