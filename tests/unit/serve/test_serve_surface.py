"""The edges of the command line: start-up, help, broken pipes, forms of extraction."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from pincite.errors import EvidenceError, ModelError, PinciteError, Refused, SourceError, StoreError, StoreMissing, UsageError
from pincite.serve.cli import COMMANDS
from pincite.serve.errors import meaning, problem, translated

HEAVY = ("pincite.library", "pincite.wiring", "httpx", "lxml", "numpy", "anyio", "asyncio")


def test_help_and_version_import_nothing_heavy() -> None:
    code = f"import sys; from pincite.serve.cli import main; main(['--help']); sys.exit([m for m in {HEAVY!r} if m in sys.modules] != [])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False).returncode == 0


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_the_global_options(run: object, name: str) -> None:
    ran = run(name, "--help")  # type: ignore[operator]
    assert ran.code == 0
    for option in ("--store", "--config", "--json", "-q", "-v"):
        assert option in ran.out


def test_python_m_pincite_is_the_same_command() -> None:
    ran = subprocess.run([sys.executable, "-m", "pincite", "--version"], capture_output=True, text=True, timeout=60, check=False)
    assert (ran.returncode, ran.stdout.split()[0]) == (0, "pincite")


def test_reader_that_closes_the_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m pincite --help"
    ran = subprocess.run(f"{command} | true", shell=True, capture_output=True, text=True, timeout=60, check=False)
    assert ran.stderr == ""


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        pytest.param(UsageError("x"), 2, 400, id="usage"),
        pytest.param(Refused("x", rule="address"), 3, 403, id="refused"),
        pytest.param(SourceError("x"), 4, 502, id="source"),
        pytest.param(EvidenceError("x"), 1, 422, id="evidence"),
        pytest.param(StoreMissing("x"), 4, 404, id="no library"),
        pytest.param(StoreError("x"), 4, 503, id="store"),
        pytest.param(ModelError("x"), 4, 502, id="model"),
        pytest.param(translated(OSError(28, "No space left on device")), 4, 503, id="full disk"),
        pytest.param(translated(PermissionError(13, "Permission denied", "f")), 4, 502, id="system"),
    ],
)
def test_one_table_maps_every_error(error: PinciteError, code: int, status: int) -> None:
    assert (meaning(error).exit_code, problem(error)["status"]) == (code, status)


def test_source_tree_has_the_marker_for_type_checkers() -> None:
    assert (Path(__file__).parents[3] / "src" / "pincite" / "py.typed").is_file()
