"""Admonitions of all generators: which kind, the title, and what stands in them.

In: an element. Out: its kind, such as `warning`, or None; its title and its body.
"""

from __future__ import annotations

import re

from pincite.extract.dom import Element

_KINDS = {
    "note": "note", "info": "info", "tip": "tip", "hint": "tip", "success": "tip", "important": "important", "warning": "warning",
    "warn": "warning", "caution": "caution", "danger": "danger", "error": "danger", "bug": "bug", "example": "example", "quote": "quote",
    "abstract": "abstract", "question": "question", "failure": "failure", "seealso": "seealso", "see-also": "seealso", "todo": "todo",
    "attention": "attention", "versionadded": "versionadded", "versionchanged": "versionchanged", "deprecated": "deprecated",
    "details": "details", "secondary": "note", "primary": "note", "alert-info": "info", "alert-warning": "warning",
    "alert-danger": "danger",
    "alert-success": "tip", "alert-primary": "note", "alert-secondary": "note", "admonitionblock": "note", "pitfall": "caution",
    "callout": "note", "aside": "note", "alert": "note",
}  # fmt: skip
_BOXES = frozenset(
    [
        "admonition",
        "theme-admonition",
        "custom-block",
        "admonitionblock",
        "markdown-alert",
        "callout",
        "alert",
        "notice",
        "hint-box",
        "starlight-aside",
        "nextra-callout",
        "message",
        "note",
        "warning",
        "tip",
        "important",
        "caution",
        "versionadded",
        "versionchanged",
        "deprecated",
        "seealso",
        "sidebar",
        "topic",
        "pageinfo",
    ]
)
_TITLES = frozenset(
    [
        "admonition-title",
        "custom-block-title",
        "markdown-alert-title",
        "admonition-heading",
        "callout-title",
        "alert-heading",
        "starlight-aside__title",
        "admonitionHeading",
        "title",
        "alert-title",
        "note-title",
        "callout__title",
    ]
)
_HASHED = re.compile(r"^(admonition(?:Heading)?|alert)[_-]\w+$")


def kind(element: Element) -> str | None:
    """Return the kind of an admonition, or None for an element that is none."""
    if element.tag not in ("div", "aside", "section", "details", "blockquote", "p", "table") or not element.classes:
        return None
    names = [name.lower() for name in element.classes]
    if not any(name in _BOXES or _HASHED.match(name) for name in names):
        return None
    if element.tag == "table" and "admonitionblock" not in names:
        return None
    if element.tag in ("section",) and not any(n in ("admonition", "callout", "alert", "notice") for n in names):
        return None
    for name in names:
        for part in (name, *name.rsplit("--", 1)[1:], *name.rsplit("-", 1)[1:]):
            if part in _KINDS and part not in ("alert", "callout", "aside", "admonitionblock"):
                return _KINDS[part]
    title, _ = parts(element)
    word = re.sub(r"\W", "", title.words().lower()) if title is not None else ""
    return _KINDS.get(word, "note")


def parts(element: Element) -> tuple[Element | None, list[Element | str]]:
    """Return the title element, if there is one, and the rest in order."""
    if element.has("admonitionblock"):
        return _asciidoc(element)
    title = next((e for e in element.walk() if e is not element and _is_title(e)), None)
    if title is None or (title.tag in ("h1", "h2", "h3", "h4", "h5", "h6") and not title.classes):
        return None, list(element.kids)
    return title, _without(element, title)


def _is_title(element: Element) -> bool:
    return element.tag == "summary" or any(
        c in _TITLES or c.lower() in _TITLES or c.startswith("admonitionHeading") for c in element.classes
    )


def _asciidoc(element: Element) -> tuple[Element | None, list[Element | str]]:
    icon = next((e for e in element.walk() if e.has("icon")), None)
    content = next((e for e in element.walk() if e.has("content")), None)
    if content is None:
        return None, list(element.kids)
    return icon, list(content.kids)


def _without(element: Element, title: Element) -> list[Element | str]:
    out: list[Element | str] = []
    for kid in element.kids:
        if kid is title:
            continue
        if isinstance(kid, Element) and any(e is title for e in kid.walk()):
            out.extend(_without(kid, title))
        else:
            out.append(kid)
    return out
