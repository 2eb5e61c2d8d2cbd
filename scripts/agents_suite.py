#!/usr/bin/env python3
"""Run our agent tools in the real frameworks, each in an environment of its own.

usage: agents_suite.py [--if-changed] [crewai] [langchain] [llamaindex] [haystack]      (all four without names)

Environments are made in `.cache/agents` and kept until the dependencies change. With `--if-changed` nothing is done where neither the
integrations and their tests nor the library's public API differ from the last run that passed. The exit code counts frameworks that failed.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / ".cache" / "agents"
FRAMEWORKS = ("crewai", "langchain", "llamaindex", "haystack")
WATCHED = (
    "src/pincite/integrations",
    "tests/agents",
    "src/pincite/library.py",
    "src/pincite/__init__.py",
    "src/pincite/types",
    "scripts/agents_suite.py",
)
TESTS = ("pytest", "pytest-randomly", "hypothesis")


def fingerprint(watched: Sequence[str]) -> str:
    """Return a digest of what the tests rest on."""
    digest = hashlib.sha256()
    for name in watched:
        place = ROOT / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(json.dumps(project(), sort_keys=True).encode())
    return digest.hexdigest()


def project() -> dict[str, Any]:
    """Return the project's table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def extras(*names: str) -> list[str]:
    """Return the requirements of these extras."""
    return [wanted for name in names for wanted in project()["optional-dependencies"][name]]


def environment(place: Path, wanted: Sequence[str]) -> Path:
    """Return the interpreter of an environment that holds the package and what is wanted beside it."""
    stamp, written = place / "wanted.json", json.dumps([list(wanted), project()["dependencies"]])
    if not stamp.exists() or stamp.read_text() != written:
        print(f"making {place}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "-e", str(ROOT), *wanted], check=True, timeout=1800)
        stamp.write_text(written)
    return place / "bin" / "python"


def passes(name: str, python: Path, tests: Sequence[str]) -> bool:
    """Run tests and say whether all passed and none was left out. Third-party warnings don't count."""
    quiet = {**os.environ, "CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true", "HAYSTACK_TELEMETRY_ENABLED": "False"}
    command = [str(python), "-m", "pytest", "-q", "-W", "default", "--import-mode=importlib", *tests]
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, timeout=900, check=False)
    passed = done.returncode == 0 and "skipped" not in done.stdout
    print(f"{name}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-500:]}", flush=True)
    if not passed:
        print(done.stdout[-6000:])
    return passed


def run(framework: str) -> bool:
    """Run the framework's tests and say whether they passed."""
    python = environment(CACHE / framework, [*extras(framework), *TESTS])
    return passes(framework, python, [f"tests/agents/test_{framework}.py", "tests/agents/test_functions.py"])


def main() -> int:
    """Run what was asked for."""
    names = [name for name in sys.argv[1:] if name in FRAMEWORKS]
    CACHE.mkdir(parents=True, exist_ok=True)
    stamp, now = CACHE / "passed", fingerprint(WATCHED)
    if "--if-changed" in sys.argv and stamp.exists() and stamp.read_text() == now:
        print("agent tools: nothing changed since they last passed")
        return 0
    failed = sum(not run(name) for name in names or FRAMEWORKS)
    if not failed and not names:
        stamp.write_text(now)
    return failed


if __name__ == "__main__":
    sys.exit(main())
