"""Requests generated from the OpenAPI document: no server error, no broken promise, with and without tokens."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SECRET = "tidepool-tests-sign-with-this-secret-of-64-bytes-0123456789abcdef"
EXAMPLES = os.environ.get("PINCITE_GENERATED_EXAMPLES", "1")
"""Requests for each operation and phase; `make generated` sends many more."""


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("schemathesis") is None, reason="needs schemathesis: pip install schemathesis")
@pytest.mark.parametrize("authenticated", [False, True], ids=["open", "with tokens"])
def test_generated_requests_find_no_server_error_and_no_broken_promise(
    live: Callable[..., str], mint: Callable[..., str], authenticated: bool, own_store: Path, tmp_path: Path
) -> None:
    options = ["-H", f"Authorization: Bearer {mint('admin')}"] if authenticated else []
    base = live(store=str(own_store), security_jwt_enabled=authenticated, security_secret=SECRET)
    command = [sys.executable, "-m", "schemathesis.cli", "run", base + "/openapi.json", "--phases", "examples,coverage,fuzzing"]
    command += ["--max-examples", EXAMPLES, "--no-color", "--exclude-path", "/v1/hooks/capture", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stdout[-6000:]
