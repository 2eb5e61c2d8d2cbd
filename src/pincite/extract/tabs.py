"""Tabs and code groups: every panel's content with its label, since a reader can open each.

In: an element. Out: its panels in order, or None for one that holds no tabs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pincite.extract.dom import Element

_SETS = frozenset(
    [
        "tabbed-set",
        "sphinx-tabs",
        "sd-tab-set",
        "tab-set",
        "vp-code-group",
        "tabs-container",
        "tabs",
        "tabset",
        "tabpanel-container",
        "tabblock",
        "code-group",
        "theme-code-group",
    ]
)


@dataclass(frozen=True, slots=True)
class Panel:
    """One tab."""

    label: str
    content: Element


def panels(element: Element) -> list[Panel] | None:
    """Return the panels of a set of tabs."""
    if element.tag not in ("div", "section", "starlight-tabs", "article"):
        return None
    if element.tag != "starlight-tabs" and _SETS.isdisjoint(element.classes) and not _has_tab_list(element):
        return None
    contents = _contents(element)
    if not contents:
        return None
    labels = _labels(element, contents)
    return [Panel(labels[i] if i < len(labels) else "", content) for i, content in enumerate(contents)]


def _has_tab_list(element: Element) -> bool:
    return any(k.__class__ is Element and k.get("role") == "tablist" for k in element.kids)


def _contents(element: Element) -> list[Element]:
    tests: tuple[Callable[[Element], bool], ...] = (
        lambda e: e.get("role") == "tabpanel",
        lambda e: e.has("tabbed-block", "sd-tab-content", "tab-content", "sphinx-tabs-panel", "tab-pane", "tabpanel"),
        lambda e: e.tag == "div" and any(c.startswith("language-") for c in e.classes),
    )
    for test in tests:
        found = [e for e in element.walk() if test(e)]
        found = [e for e in found if not any(a in found for a in e.ancestors())]
        if found:
            return found
    return []


def _labels(element: Element, contents: list[Element]) -> list[str]:
    inside = {id(e) for content in contents for e in content.walk()}
    outside = [e for e in element.walk() if id(e) not in inside]
    tests: tuple[Callable[[Element], bool], ...] = (
        lambda e: e.get("role") == "tab",
        lambda e: e.tag == "label",
        lambda e: e.has("sd-tab-label", "tab-label", "sphinx-tabs-tab"),
        lambda e: e.tag == "li",
    )
    for test in tests:
        found = [e.words() for e in outside if test(e)]
        if found:
            return found
    return []
