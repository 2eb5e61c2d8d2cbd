"""The page's own ids, and names of `a`: which one a heading, term or block can be linked by. None is ever made from words.

In: elements of the light tree. Out: ids that exist on the page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from pincite.extract.dom import Element, Raw, attribute
from pincite.extract.outline import Outline

_LAYOUT = re.compile(
    r"^(__\w+|root|app|main|content|main-content|page|page-content|wrapper|container|body|top|article|docs?|doc-content|contents?|mw-content-text)$",
    re.I,
)


_WIDE = frozenset(("div", "section", "article", "main", "body"))


class Ids:
    """Finds anchors. `of_heading` notes where a section began, so that blocks after it take its id rather than one from above it."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._passed: set[int] = set()
        self._bearers: dict[int, tuple[tuple[Element, str], ...]] = {}
        self._places: dict[int, dict[int, int]] = {}
        self._outside: str | None = None
        """The id around the whole tree; empty where there is none."""

    def own(self, element: Element) -> str | None:
        """Return the element's own id, or that of an anchor inside it that no words precede."""
        while True:
            name = element.name
            if name:
                return name
            for kid in element.kids:
                if kid.__class__ is Element:
                    element = kid
                    break
                if not kid.isspace():  # type: ignore[union-attr]
                    return None
            else:
                return None

    def of_heading(self, element: Element) -> str | None:
        """Return the id by which a heading is linked: its own, one inside, just before it, or of what it opens."""
        for above in element.ancestors():
            self._passed.add(id(above))
        found = element.name or self._permalink(element) or self.own(element) or self._inside(element) or self._before(element)
        if found:
            return found
        child = element
        for above in list(element.ancestors())[:4]:
            if not _opens(above, child):
                return None
            if above.name:
                return None if _LAYOUT.match(above.name) else above.name
            found = self._before(above)
            if found:
                return found
            child = above
        return None

    @staticmethod
    def _inside(element: Element) -> str | None:
        return next((below.name for below in element.walk() if below.name), None)

    def _permalink(self, element: Element) -> str | None:
        """Return the id that the heading's own link points to, where the page has it."""
        for link in element.raw.select("a[href^='#']"):
            name = unquote(attribute(link, "href")[1:])
            if name and (not link.text.strip() or len(link.text.strip()) < 3 or link.text.strip() == element.raw.text.strip()):
                return name if name in self._known else None
        return None

    def _before(self, element: Element) -> str | None:
        for sibling in self._preceding(element):
            if isinstance(sibling, str):
                if sibling.strip():
                    return None
                continue
            if sibling.text().strip():
                return None
            for below in sibling.walk():
                name = below.name
                if name:
                    return name
        return None

    def anchor(self, element: Element, outline: Outline) -> str | None:
        """Return the nearest id at or above a block: below its section's heading first, then the heading's, then what surrounds both."""
        near = self.own(element) if element.tag not in _WIDE else element.name
        if near:
            return near
        outer = None
        for above, name in self._named(element.parent):
            if id(above) not in self._passed:
                return name
            outer = outer or name
        section = outline.anchor
        if section or outer:
            return section or outer
        if self._outside is None:
            self._outside = _around(element.raw)
        return self._outside or None

    def _named(self, element: Element | None) -> tuple[tuple[Element, str], ...]:
        """Return what bears an id at or above an element, and that id, nearest first; found once for each element."""
        if element is None:
            return ()
        known = self._bearers.get(id(element))
        if known is not None:
            return known
        name, above = element.name, self._named(element.parent)
        known = self._bearers[id(element)] = ((element, name), *above) if name else above
        return known

    def _preceding(self, element: Element) -> Iterator[Element | str]:
        if element.parent is None:
            return
        kids = element.parent.kids
        places = self._places.get(id(element.parent))
        if places is None:
            places = self._places[id(element.parent)] = {id(kid): i for i, kid in enumerate(kids)}
        for at in range(places.get(id(element), 0) - 1, -1, -1):
            yield kids[at]


def _around(raw: Raw) -> str:
    above = raw.parent
    while isinstance(above, Raw):
        name = attribute(above, "id")
        if name:
            return name
        above = above.parent
    return ""


def _opens(above: Element, child: Element) -> bool:
    for kid in above.kids:
        if kid is child:
            return True
        if isinstance(kid, str):
            if kid.strip():
                return False
        elif kid.text().strip():
            return False
    return False
