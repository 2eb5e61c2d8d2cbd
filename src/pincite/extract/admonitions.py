"""Admonitions of all generators: which kind, the title, and what stands in them.

In: an element. Out: its kind, such as `warning`, or None; its title and its body.
"""

from __future__ import annotations

import re
from functools import lru_cache

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
_ICONS = {"⚠": "warning", "🚫": "danger", "❌": "danger", "💡": "tip", "ℹ": "info", "❗": "important"}
_HOLDERS = frozenset(("div", "aside", "section", "details", "blockquote", "p", "table", "dl"))
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
_DRAWN = frozenset(("note", "warning", "attention", "important", "caution"))
"""Boxes that Doxygen draws as definition lists, `dl.section.note`."""
_HASHED = re.compile(r"^(admonition(?:Heading)?|alert)[_-]\w+$")


def kind(element: Element) -> str | None:
    """Return the kind of an admonition, or None for an element that is none."""
    if not element.classes or not boxed(element.tag, element.classes):
        return None
    named = _named(element.classes)
    if named is not None:
        return named
    title, body = parts(element)
    if title is None and (icon := icon_of(body)) is not None:
        return _ICONS.get(icon.words()[:1], "note")
    word = re.sub(r"\W", "", title.words().lower()) if title is not None else ""
    return _KINDS.get(word, "note")


@lru_cache(maxsize=4096)
def boxed(tag: str, classes: tuple[str, ...]) -> bool:
    """Say whether an element of this tag and these classes is an admonition."""
    if tag not in _HOLDERS:
        return False
    names = [name.lower() for name in classes]
    if not any(name in _BOXES or _HASHED.match(name) for name in names):
        return False
    if tag == "dl":
        return names[0] == "section" and len(names) == 2 and names[1] in _DRAWN
    if tag == "table" and "admonitionblock" not in names:
        return False
    return tag != "section" or any(n in ("admonition", "callout", "alert", "notice") for n in names)


@lru_cache(maxsize=1024)
def _named(classes: tuple[str, ...]) -> str | None:
    """Return the kind that the classes name."""
    for name in (name.lower() for name in classes):
        for part in (name, *name.rsplit("--", 1)[1:], *name.rsplit("-", 1)[1:]):
            if part in _KINDS and part not in ("alert", "callout", "aside", "admonitionblock"):
                return _KINDS[part]
    return None


def parts(element: Element) -> tuple[Element | None, list[Element | str]]:
    """Return the title element, if there is one, and the rest in order."""
    if element.has("admonitionblock"):
        return _asciidoc(element)
    if element.tag == "dl":
        title = next((kid for kid in element.elements() if kid.tag == "dt"), None)
        return title, [node for kid in element.elements() if kid is not title for node in kid.kids]
    title = next((e for e in element.walk() if e is not element and _is_title(e)), None)
    if title is None and (first := next(element.elements(), None)) is not None and first.tag == "p" and _says_kind(first):
        title = first
    if title is None or (title.tag in ("h1", "h2", "h3", "h4", "h5", "h6") and not title.classes):
        return None, list(element.kids)
    return title, _without(element, title)


def icon_of(body: list[Element | str]) -> Element | None:
    """Return the element that a box begins with where it is a picture character."""
    first = next((kid for kid in body if not isinstance(kid, str) or not kid.isspace()), None)
    if not isinstance(first, Element):
        return None
    words = first.words()
    return first if words and len(words) <= 3 and not any(c.isalnum() for c in words) else None


def _says_kind(paragraph: Element) -> bool:
    return paragraph.words().lower().rstrip(":") in _KINDS


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
