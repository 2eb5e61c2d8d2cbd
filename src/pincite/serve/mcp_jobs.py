"""Captures that MCP clients start: the same list of jobs that the HTTP server works off.

In: a location and how far to follow it. Out: a job's id at once, later how far it is.
"""

from __future__ import annotations

from typing import Any

import anyio.to_thread

from pincite.errors import UsageError
from pincite.serve.job_store import Job, JobStore
from pincite.serve.jobs import Runner

Json = dict[str, Any]


class StoredJobs:
    """Jobs on disk, beside the library."""

    def __init__(self, store: JobStore, runner: Runner) -> None:
        self._store, self._runner = store, runner

    async def submit(self, location: str, *, name: str | None, version: str, scope: str, max_pages: int) -> Json:
        """Queue a capture and return its id at once."""
        policy = {"scope": scope, "include": [], "exclude": [], "max_pages": max_pages, "max_depth": None}
        request = {"location": location, "name": name, "version": version, "policy": policy}
        job = await anyio.to_thread.run_sync(lambda: self._store.submit("add", name or "", request, "mcp", None))
        self._runner.wake()
        return {"job": job.id, "state": job.state}

    async def look(self, job: str) -> Json:
        """Return how far a job is. Raises UsageError for an unknown one."""
        found = await anyio.to_thread.run_sync(lambda: self._store.job(job))
        if found is None:
            raise UsageError(f"There is no job {job}. add_source gives the ids.")
        return shape(found)


def shape(job: Job) -> Json:
    """Return a job as the tool `job_status` gives it."""
    told: Json = {"job": job.id, "state": job.state, "pages": sum(job.progress.values()), "coverage": job.result}
    if job.error is not None:
        told["error"] = str(job.error.get("detail", job.error.get("title", "")))
    return told
