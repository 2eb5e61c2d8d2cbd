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
from pathlib import Path

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


def fingerprint() -> str:
    """Return a digest of what the tools rest on."""
    digest = hashlib.sha256()
    for name in WATCHED:
        place = ROOT / name
        for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
            digest.update(file.relative_to(ROOT).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    digest.update(json.dumps(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"], sort_keys=True).encode())
    return digest.hexdigest()


def environment(framework: str) -> Path:
    """Return the interpreter of the framework's environment."""
    place = CACHE / framework
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["optional-dependencies"][framework], *TESTS]
    stamp, written = place / "wanted.json", json.dumps([wanted, project["dependencies"]])
    if not stamp.exists() or stamp.read_text() != written:
        print(f"making {place}", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
        pip = [str(place / "bin" / "python"), "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
        subprocess.run([*pip, "-e", str(ROOT), *wanted], check=True, timeout=1800)
        stamp.write_text(written)
    return place / "bin" / "python"


def run(framework: str) -> bool:
    """Run the framework's tests and say whether they passed. Third-party warnings don't count."""
    quiet = {**os.environ, "CREWAI_DISABLE_TELEMETRY": "true", "OTEL_SDK_DISABLED": "true", "HAYSTACK_TELEMETRY_ENABLED": "False"}
    tests = [f"tests/agents/test_{framework}.py", "tests/agents/test_functions.py"]
    command = [str(environment(framework)), "-m", "pytest", "-q", "-W", "default", "--import-mode=importlib", *tests]
    done = subprocess.run(command, cwd=ROOT, env=quiet, capture_output=True, text=True, timeout=900, check=False)
    passed = done.returncode == 0 and "skipped" not in done.stdout
    print(f"{framework}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr[-500:]}", flush=True)
    if not passed:
        print(done.stdout[-6000:])
    return passed


def main() -> int:
    """Run what was asked for."""
    names = [name for name in sys.argv[1:] if name in FRAMEWORKS]
    CACHE.mkdir(parents=True, exist_ok=True)
    stamp, now = CACHE / "passed", fingerprint()
    if "--if-changed" in sys.argv and stamp.exists() and stamp.read_text() == now:
        print("agent tools: nothing changed since they last passed")
        return 0
    failed = sum(not run(name) for name in names or FRAMEWORKS)
    if not failed and not names:
        stamp.write_text(now)
    return failed


if __name__ == "__main__":
    sys.exit(main())
