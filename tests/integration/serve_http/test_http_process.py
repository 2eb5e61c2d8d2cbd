"""`pincite serve` and `pincite token` as processes: what they refuse, how they stop, several on one library."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from pincite.library import Library
from pincite.serve.cli import main


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@pytest.fixture
def started() -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    running: list[subprocess.Popen[str]] = []

    def start(store: Path, *options: str, **environment: str) -> tuple[subprocess.Popen[str], str]:
        port = free_port()
        command = [sys.executable, "-m", "pincite", "serve", "--store", str(store), "--port", str(port), *options]
        process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
        running.append(process)
        deadline = time.monotonic() + 180
        while time.monotonic() < deadline and process.poll() is None:
            try:
                if httpx.get(f"http://127.0.0.1:{port}/ready").status_code == 200:
                    return process, f"http://127.0.0.1:{port}"
            except httpx.TransportError:
                time.sleep(0.1)
        raise AssertionError("the server did not start")

    yield start
    for process in running:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.mark.parametrize("options", [["--host", "0.0.0.0"], ["--host", "0.0.0.0", "--no-jwt"], ["--host", "::"], ["--jwt"]])
def test_serving_without_a_credential_is_refused(options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--store", str(tmp_path / "library.db"), *options]) == 3
    assert "token" in capsys.readouterr().err


def test_a_short_secret_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PINCITE_SECURITY_SECRET", "short")
    assert main(["serve", "--store", str(tmp_path / "library.db"), "--jwt"]) == 3
    assert main(["token", "--store", str(tmp_path / "library.db")]) == 3


def test_a_port_that_is_taken_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert main(["serve", "--store", str(tmp_path / "library.db"), "--port", str(taken.getsockname()[1])]) == 4
    assert "can't be bound" in capsys.readouterr().err


@pytest.mark.parametrize("expires", ["soon", "0d", "900d", "-1h"])
def test_a_lifetime_that_is_none_is_a_usage_error(tmp_path: Path, expires: str) -> None:
    assert main(["token", "--store", str(tmp_path / "library.db"), "--expires", expires]) == 2


def test_a_token_of_the_command_line_opens_the_server(
    own_store: Path, started: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["token", "--store", str(own_store), "--for", "ann", "--scope", "write", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    _, base = started(own_store, "--jwt")
    assert httpx.get(base + "/v1/sources").status_code == 401
    assert httpx.get(base + "/v1/sources", headers={"Authorization": f"Bearer {made['access_token']}"}).status_code == 200


def test_a_stopped_server_ends_well_and_gives_its_job_back(own_store: Path, tmp_path: Path, started: Callable[..., Any]) -> None:
    many = tmp_path / "many"
    many.mkdir()
    for i in range(400):
        (many / f"{i}.md").write_text(f"# Page {i}\n\n" + "Words about tides and lamps. " * 40)
    process, base = started(own_store, "--allow-root", str(tmp_path))
    job = httpx.post(base + "/v1/sources", json={"location": str(many), "name": "many"}).json()
    while httpx.get(base + f"/v1/jobs/{job['id']}").json()["state"] == "queued":
        time.sleep(0.02)
    process.send_signal(signal.SIGTERM)
    log = process.communicate(timeout=180)[1]
    assert process.returncode in (0, -signal.SIGTERM)
    lines = [json.loads(line) for line in log.splitlines()]
    assert all(line["level"] in ("info", "warning") for line in lines), log
    _, base = started(own_store, "--allow-root", str(tmp_path))
    deadline = time.monotonic() + 180
    while (state := httpx.get(base + f"/v1/jobs/{job['id']}").json()["state"]) not in ("done", "failed") and time.monotonic() < deadline:
        time.sleep(0.1)
    assert state == "done"
    with Library(str(own_store)) as library:
        assert sum(1 for _ in library.held("many")) == 400


def test_two_workers_share_one_library_and_one_list_of_jobs(own_store: Path, tmp_path: Path, started: Callable[..., Any]) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "neap.md").write_text("# Neap tides\n\nNeap tides come at half moon.\n")
    process, base = started(own_store, "--workers", "2", "--allow-root", str(tmp_path))
    job = httpx.post(base + "/v1/sources", json={"location": str(tmp_path / "more"), "name": "more"}).json()
    deadline = time.monotonic() + 180
    while httpx.get(base + f"/v1/jobs/{job['id']}").json()["state"] not in ("done", "failed") and time.monotonic() < deadline:
        time.sleep(0.05)
    found = [httpx.get(base + "/ask?query=neap tides").json()["doc_results"] for _ in range(12)]
    assert all(hits and hits[0]["source"] == "more" for hits in found)
    assert httpx.delete(base + "/v1/sources/more").status_code == 200
    assert all(httpx.get(base + "/ask?query=neap tides").json()["doc_results"] == [] for _ in range(12))
    for _ in range(8):
        figures = httpx.get(base + "/metrics").text
        assert 'pincite_http_requests_total{method="GET",route="/ask",status="200"} 24.0' in figures, (
            "both workers' counts, whoever is asked"
        )
        assert "pincite_jobs_open 0.0" in figures
        assert "pincite_http_running 1.0" in figures, "this request, and none twice"
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=180)


def test_help_names_both_commands() -> None:
    from pincite.serve.cli import pincite

    listed = CliRunner().invoke(pincite, ["--help"]).output
    assert "serve" in listed
    assert "token" in listed
