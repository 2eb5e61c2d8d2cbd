"""Formulas as TeX, whatever drew them: MathJax, KaTeX, MathML with annotations, Sphinx, MediaWiki, arithmatex.

In: an element. Out: its TeX, or None for one that is no formula.
"""

from __future__ import annotations

import re

from pincite.extract.dom import Element

_TYPE = re.compile(r"^math/tex", re.I)
_DELIMITED = re.compile(r"^\s*(?:\\\((.*)\\\)|\\\[(.*)\\\]|\$\$(.*)\$\$|\$(.*)\$)\s*$", re.S)
_CLASSES = frozenset(("katex", "katex-display", "math", "arithmatex", "MathJax", "mwe-math-element", "math-tex", "MathJax_Display"))


def tex(element: Element) -> str | None:
    """Return the formula's TeX source."""
    if element.tag == "script":
        return element.text() if _TYPE.match(element.get("type")) else None
    if element.tag == "math":
        return _annotation(element) or element.get("alttext") or element.words()
    if element.tag not in ("span", "div", "mjx-container", "p") or (
        _CLASSES.isdisjoint(element.classes) and element.tag != "mjx-container"
    ):
        return None
    found = _annotation(element)
    if found:
        return found
    for below in element.walk():
        if below.tag == "img" and below.get("alt") and element.has("math", "mwe-math-element"):
            return below.get("alt")
        if below.tag == "script" and _TYPE.match(below.get("type")):
            return below.text()
    delimited = _DELIMITED.match(element.text())
    return next((g for g in delimited.groups() if g is not None), None) if delimited else None


def displays(element: Element) -> bool:
    """Say whether the element is a formula on lines of its own."""
    return tex(element) is not None and displayed(element)


def displayed(element: Element) -> bool:
    """Say whether the formula stands on lines of its own."""
    if element.tag == "script":
        return "mode=display" in element.get("type")
    if element.tag == "math":
        return element.get("display") == "block"
    if element.has("katex-display", "MathJax_Display") or element.get("display") == "true":
        return True
    return element.tag == "div" or element.text().lstrip().startswith(("\\[", "$$"))


def _annotation(element: Element) -> str:
    for below in element.walk():
        if below.tag == "annotation" and "tex" in below.get("encoding").lower():
            return below.text()
    return ""
