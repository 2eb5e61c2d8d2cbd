"""What the operator sees: a request id on every answer, one JSON line a request, and the figures behind `/metrics`.

In: requests as they pass. Out: log records on stderr through `logging`, Prometheus text. Query strings, bodies and tokens are never logged.
"""

from __future__ import annotations

import json
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.types import timestamp
from pincite.wiring import now

GIVEN_ID = re.compile(r"[A-Za-z0-9._-]{8,128}")
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)


class JsonLines(logging.Formatter):
    """Writes a record as one line of JSON: time, level, logger, message, and the record's own `facts`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        shape: dict[str, Any] = {"time": timestamp(now()), "level": record.levelname.lower(), "logger": record.name}
        shape["message"] = record.getMessage()
        shape |= getattr(record, "facts", {})
        if record.exc_info:
            shape["exception"] = self.formatException(record.exc_info)
        return json.dumps(shape, ensure_ascii=False, default=str)


LEFT = 499
"""What is noted where the client went away before it was answered; no client ever sees it."""
SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""Names a folder in which several worker processes count together; the client library reads it when it is imported."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counters of one worker process, or of all that share a folder."""

    registry: CollectorRegistry
    requests: Counter
    seconds: Histogram
    running: Gauge
    refused: Counter
    waiting: Gauge
    now_waiting: Callable[[], float]
    jobs: Callable[[], float]

    def note(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count one answered request."""
        self.requests.labels(route, method, str(status)).inc()
        self.seconds.labels(route).observe(seconds)
        self.waiting.set(self.now_waiting())

    def text(self) -> bytes:
        """Return the Prometheus exposition text."""
        self.waiting.set(self.now_waiting())
        jobs = GaugeMetricFamily("pincite_jobs_open", "Jobs queued or running.", value=self.jobs())
        return generate_latest(self._all()) + generate_latest(_Only((jobs,)))

    def _all(self) -> Collector:
        folder = os.environ.get(SHARED)
        if not folder:
            return self.registry
        for file in Path(folder).glob("gauge_live*_*.db"):
            pid = file.stem.rpartition("_")[2]
            if pid.isdigit() and not _lives(int(pid)):
                multiprocess.mark_process_dead(int(pid), folder)  # type: ignore[no-untyped-call]
        return MultiProcessCollector(CollectorRegistry(), folder)  # type: ignore[no-untyped-call]


@dataclass(frozen=True, slots=True)
class _Only(Collector):
    families: tuple[Metric, ...]

    def collect(self) -> Iterable[Metric]:
        """Give what it was made of."""
        return self.families


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def figures(waiting: Callable[[], float], jobs: Callable[[], float]) -> Figures:
    """Return fresh figures; `waiting` and `jobs` are asked at each scrape."""
    registry = CollectorRegistry()
    return Figures(
        registry,
        Counter("pincite_http_requests", "Requests answered.", ("route", "method", "status"), registry=registry),
        Histogram("pincite_http_request_seconds", "Time to the last byte.", ("route",), buckets=BUCKETS, registry=registry),
        Gauge("pincite_http_running", "Requests being answered.", registry=registry, multiprocess_mode="livesum"),
        Counter("pincite_http_refused", "Requests that the gate turned away.", ("why",), registry=registry),
        Gauge("pincite_calls_waiting", "Calls waiting for a library handle.", registry=registry, multiprocess_mode="livesum"),
        waiting,
        jobs,
    )


class Observer:
    """The outermost layer: gives each request an id, times it, counts it and writes its line."""

    def __init__(self, app: ASGIApp, figures: Figures, log: logging.Logger) -> None:
        self._app, self._figures, self._log = app, figures, log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if GIVEN_ID.fullmatch(given) else secrets.token_hex(8)
        state = scope.setdefault("state", {})
        state["request_id"] = request_id
        status, began = 0, time.perf_counter()
        left = False

        async def receiving() -> Message:
            nonlocal left
            message = await receive()
            left = left or message["type"] == "http.disconnect"
            return message

        async def sending(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message)["X-Request-ID"] = request_id
            await send(message)

        self._figures.running.inc()
        try:
            await self._app(scope, receiving, sending)
        finally:
            self._figures.running.dec()
            self._note(scope, status or (LEFT if left else 500), time.perf_counter() - began, request_id)

    def _note(self, scope: Scope, status: int, seconds: float, request_id: str) -> None:
        route = getattr(scope.get("route"), "path", None) or "other"
        method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS") else "other"
        self._figures.note(route, method, status, seconds)
        if not self._log.isEnabledFor(logging.INFO):
            return
        state = scope["state"]
        principal = state.get("principal")
        facts = {
            "request_id": request_id,
            "method": scope["method"],
            "path": scope["path"],
            "status": status,
            "ms": round(seconds * 1000, 2),
            "client": state.get("client", ""),
            "subject": principal.subject if principal else "",
        }
        self._log.info("request", extra={"facts": facts})
