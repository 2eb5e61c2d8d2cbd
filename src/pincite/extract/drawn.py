"""What an element is drawn as, where its tag does not say it: titles, headings by role, lists that only set out a page.

In: elements of the light tree. Out: whether they are that, and of which level.
"""

from __future__ import annotations

from pincite.extract.dom import Element

LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}
_LOOSE = frozenset(("p", "pre", "div", "table", "dl"))
_OPENING = frozenset((*LEVELS, "section", "div", "ul", "li", "article"))


def is_title(element: Element) -> bool:
    """Say whether an element is Doxygen's title of a page, which is drawn as a heading."""
    return "title" in element.classes and element.tag == "div" and element.parent is not None and element.parent.has("headertitle")


def level(element: Element) -> int:
    """Return the level of what is a heading by its tag, its role or its drawing."""
    by_tag = LEVELS.get(element.tag)
    if by_tag is not None:
        return by_tag
    given = element.get("aria-level")
    if given.isdigit():
        return min(6, max(1, int(given)))
    return 1 if is_title(element) else 2


def opens_with_heading(item: Element) -> bool:
    """Say whether a list's item opens with a heading: the list sets out a page rather than being one to read."""
    while True:
        first = next((kid for kid in item.kids if _shows(kid)), None)
        if not isinstance(first, Element) or first.tag not in _OPENING:
            return False
        if first.tag in LEVELS:
            return True
        item = first


def _shows(kid: Element | str) -> bool:
    if isinstance(kid, str):
        return not kid.isspace()
    return kid.tag in _OPENING or bool(kid.text().strip())


def is_loose(item: Element) -> bool:
    """Say whether an item holds more than a line of text."""
    return any(kid.__class__ is Element and kid.tag in _LOOSE for kid in item.kids)


def part(element: Element, kids: list[Element | str]) -> Element:
    """Return the element with some of its children alone, where it stands."""
    out = Element(element.tag, element.classes, element.parent, element.raw)
    out.kids, out.name = kids, element.name
    return out
