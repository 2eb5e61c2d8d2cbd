"""Main-content rules: the file that is shipped, `selectors.yaml`, and a user's own before it.

In: YAML text. Out: `Rules`. Raises UsageError for a file that can't be read as rules. The form is described at the top of the shipped file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import yaml

from pincite.errors import UsageError
from pincite.extract import dom

_KEYS = {"rules", "generic", "drop"}
_RULE_KEYS = {"name", "marks", "hosts", "main", "drop"}


@dataclass(frozen=True, slots=True)
class Rule:
    """One kind of page: what it is recognised by, where its content stands, what to leave out."""

    name: str
    main: tuple[str, ...]
    marks: str = ""
    hosts: tuple[str, ...] = ()
    drop: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, in the order they are tried."""

    rules: tuple[Rule, ...]
    generic: tuple[str, ...] = ()
    drop: str = ""

    @property
    def marks(self) -> str:
        """All that any rule is recognised by, as one selector."""
        return ", ".join(rule.marks for rule in self.rules if rule.marks)

    def before(self, other: Rules) -> Rules:
        """Return these rules with another set's behind them."""
        drop = ", ".join(part for part in (self.drop, other.drop) if part)
        return Rules((*self.rules, *other.rules), (*self.generic, *other.generic), drop)


def chosen(selector: str, exclude: str) -> Rules:
    """Return the rules that two selectors of a source say: where its content stands, and what in it is none. Raises UsageError."""
    for given in (selector, exclude):
        if given:
            dom.check(given)
    return Rules((Rule(f"selector:{selector}", (selector,)),) if selector else (), drop=exclude)


@cache
def shipped() -> Rules:
    """Return the rules that come with the package."""
    return read(resources.files("pincite.extract").joinpath("selectors.yaml").read_text("utf-8"), "selectors.yaml")


def read(text: str, where: str) -> Rules:
    """Read rules from YAML."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UsageError(f"{where} is not valid YAML: {error}.") from error
    if not isinstance(data, Mapping) or not set(data) <= _KEYS:
        raise UsageError(f"{where} must hold a mapping with the keys {', '.join(sorted(_KEYS))}.")
    rules = data.get("rules") or ()
    if not isinstance(rules, list | tuple):
        raise UsageError(f"{where}: `rules` must be a list.")
    return Rules(
        tuple(_rule(entry, f"{where}: rule {i + 1}") for i, entry in enumerate(rules)),
        _texts(data, "generic", where),
        ", ".join(_texts(data, "drop", where)),
    )


def _rule(entry: Any, where: str) -> Rule:
    if not isinstance(entry, Mapping) or not set(entry) <= _RULE_KEYS:
        raise UsageError(f"{where} must be a mapping with the keys {', '.join(sorted(_RULE_KEYS))}.")
    name, main = entry.get("name"), _texts(entry, "main", where)
    if not isinstance(name, str) or not main:
        raise UsageError(f"{where} needs a `name` and at least one selector under `main`.")
    return Rule(
        name, main, ", ".join(_texts(entry, "marks", where)), _texts(entry, "hosts", where), ", ".join(_texts(entry, "drop", where))
    )


def _texts(data: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    value = data.get(key) or ()
    items = (value,) if isinstance(value, str) else value
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) for item in items):
        raise UsageError(f"{where}: `{key}` must be a selector or a list of selectors.")
    if key != "hosts":
        for item in items:
            dom.check(item)
    return tuple(items)
