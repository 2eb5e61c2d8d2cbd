"""The reference pages say what the code does. In: pages and code. Out: what differs."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import fields
from pathlib import Path
from types import ModuleType

from click.testing import CliRunner

from pincite.serve.cli import COMMANDS, pincite
from pincite.settings import Settings

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def script(name: str) -> ModuleType:
    """Load a script of the repository."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_command_reference_is_what_the_commands_say() -> None:
    assert (REFERENCE / "cli.md").read_text("utf-8") == script("reference").page(), "run `make reference`"


def test_help_names_every_option_of_the_reference() -> None:
    sections = re.split(r"^## pincite ", (REFERENCE / "cli.md").read_text("utf-8"), flags=re.M)[1:]
    assert [section.split("\n", 1)[0] for section in sections] == list(COMMANDS)
    for section in sections:
        name = section.split("\n", 1)[0]
        shown = CliRunner().invoke(pincite, [name, "--help"]).output
        assert [option for option in re.findall(r"^\| `(--[\w-]+)", section, flags=re.M) if option not in shown] == []


def test_settings_page_has_every_setting_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| `(.*?)` \|", (REFERENCE / "configuration.md").read_text("utf-8"), flags=re.M))
    wanted = {field.name: str(field.default).replace("'", '"') if field.default != "" else '""' for field in fields(Settings)}
    assert rows == wanted
