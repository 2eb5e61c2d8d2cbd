"""Runs the app: one process, or several on one store, until it is told to stop.

In: settings, host, port, number of workers. Out: a server that ends open requests within its grace time and gives running jobs back.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import tempfile
from functools import partial
from typing import TYPE_CHECKING

from pincite.errors import SourceError, UsageError
from pincite.serve import heap
from pincite.settings import Settings

if TYPE_CHECKING:
    from fastapi import FastAPI

HINT = "The server needs more packages: pip install 'pincite[serve]'."
GRACE_S = 10
STUCK_S = 60
"""A worker process that says nothing for so long is replaced; starting on a busy machine takes a while."""
SWITCH_S = 0.001
"""How long a busy thread may keep the interpreter before the event loop gets it; Python's own 5 ms would add up while reading."""


def app(settings: Settings, host: str, workers: int = 1) -> FastAPI:
    """Return the app over the store that the settings name, which `serve` has made; one that vanishes is never replaced by an empty one."""
    from pincite.library import Library
    from pincite.serve.http import create_app

    heap.limit_arenas()
    sys.setswitchinterval(SWITCH_S)
    log_lines()
    return create_app(partial(Library, settings=settings, create=False), settings, host=host, workers=workers)


def log_lines() -> None:
    """Write all log records as lines of JSON on stderr."""
    from pincite.serve.observe import JsonLines

    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)


def serve(settings: Settings, *, host: str, port: int, workers: int) -> None:
    """Serve until SIGINT or SIGTERM. Raises UsageError where the extra is missing, SourceError where the port is taken."""
    try:
        import uvicorn
        from uvicorn.supervisors import Multiprocess

        from pincite.serve.service import service
        from pincite.serve.wire import Wire
    except ImportError as error:
        raise UsageError(f"{HINT} ({error})") from error
    from pincite.library import Library

    service(partial(Library, settings=settings), settings, host=host)
    config = uvicorn.Config(
        partial(app, settings, host, workers),
        host=host,
        port=port,
        workers=workers,
        factory=True,
        http=Wire,
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE_S,
        timeout_worker_healthcheck=STUCK_S,
    )
    log_lines()
    with Library(settings=settings):
        pass
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        bound = socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise SourceError(f"Port {port} of {host} can't be bound: {error.strerror}. Choose another with --port.", rule="port") from error
    bound.set_inheritable(True)
    logging.getLogger("pincite.http").info("listening", extra={"facts": {"host": host, "port": bound.getsockname()[1], "workers": workers}})
    try:
        if workers > 1:
            with tempfile.TemporaryDirectory(prefix="pincite-figures-") as shared:
                os.environ["PROMETHEUS_MULTIPROC_DIR"] = shared
                Multiprocess(config, sockets=[bound]).run()
        else:
            uvicorn.Server(config).run(sockets=[bound])
    finally:
        bound.close()
