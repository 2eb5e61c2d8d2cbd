"""The seam to the HTML parser, and the light tree that the writer walks.

In: HTML text. Out: `Page` (CSS selection at the parser's speed) and `Element` trees. Only this module and `encoding` know the parser.
turbohtml was chosen by measurement: linear on 40,000 attributes (lexbor and lxml are quadratic), no lost depth, least memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import turbohtml
from turbohtml import SelectorSyntaxError

from pincite.errors import UsageError
from pincite.extract import unsafe

Raw = turbohtml.Element
MAX_DEPTH = 240
"""Deeper elements are read as if they stood at this depth; no page that a person wrote comes near."""
# What holds nothing that is read, wherever it stands: a selector does not reach into shadow roots.
_UNREAD = frozenset(("script", "style", "template", "link", "meta", "svg", "button", "input", "select", "textarea", "iframe", "noscript"))
_SPACE = re.compile(r"[ \t\r\n\f]+")


class Element:
    """An element of the light tree. `kids` are elements and strings; `raw` is the parser's own node."""

    __slots__ = ("attrs", "blocky", "classes", "kids", "parent", "raw", "tag")

    def __init__(self, tag: str, attrs: dict[str, str], classes: tuple[str, ...], parent: Element | None, raw: Raw) -> None:
        self.tag = tag
        self.attrs = attrs
        self.classes = classes
        self.kids: list[Element | str] = []
        self.parent = parent
        self.raw = raw
        self.blocky: bool | None = None
        """Whether there is a block in it; found out once."""

    def has(self, *names: str) -> bool:
        """Say whether the element has one of these classes."""
        classes = self.classes
        if classes:
            for name in names:
                if name in classes:
                    return True
        return False

    def get(self, name: str) -> str:
        """Return an attribute's value, or an empty string."""
        return self.attrs.get(name, "")

    def elements(self) -> Iterator[Element]:
        """Yield the child elements."""
        return (kid for kid in self.kids if isinstance(kid, Element))

    def walk(self) -> Iterator[Element]:
        """Yield this element and all below it, in document order."""
        stack = [self]
        while stack:
            element = stack.pop()
            yield element
            if element.kids:
                stack += [kid for kid in element.kids[::-1] if kid.__class__ is Element]

    def first(self, *tags: str) -> Element | None:
        """Return the first element below with one of these tags."""
        return next((e for e in self.walk() if e is not self and e.tag in tags), None)

    def ancestors(self) -> Iterator[Element]:
        """Yield the elements above, nearest first."""
        element = self.parent
        while element is not None:
            yield element
            element = element.parent

    def release(self) -> None:
        """Cut the tree's cycles once it has been read, so that it is freed at once rather than searched for."""
        for element in list(self.walk()):
            element.parent = None

    def text(self) -> str:
        """Return the text below, as it stands in the page."""
        kids = self.kids
        if len(kids) == 1 and isinstance(kids[0], str):
            return kids[0]
        parts: list[str] = []
        stack = kids[::-1]
        while stack:
            node = stack.pop()
            if node.__class__ is Element:
                stack += node.kids[::-1]
            else:
                parts.append(node)  # type: ignore[arg-type]
        return "".join(parts)

    def words(self) -> str:
        """Return the text below with white space collapsed and stripped."""
        return collapse(self.text()).strip()


def collapse(text: str) -> str:
    """Return the text with each run of ASCII white space as one space, as a browser shows it."""
    if "\n" not in text and "  " not in text and "\t" not in text and "\r" not in text and "\f" not in text:
        return text
    return _SPACE.sub(" ", text)


@dataclass(slots=True)
class Page:
    """A parsed page."""

    document: turbohtml.Document
    flags: dict[str, None] = field(default_factory=dict)

    def select(self, selector: str, within: Raw | None = None) -> list[Raw]:
        """Return the elements that a CSS selector matches, in order. Raises UsageError for one that can't be read."""
        try:
            return (within or self.document).select(selector)
        except SelectorSyntaxError as error:
            raise UsageError(f"The selector `{selector}` can't be read: {error}.") from error

    def one(self, selector: str, within: Raw | None = None) -> Raw | None:
        """Return the first match, or None."""
        found = (within or self.document).select_one(selector)
        return found

    def attribute(self, selector: str, name: str) -> str:
        """Return an attribute of the first match, or an empty string."""
        found = self.one(selector)
        return (attribute(found, name) if found is not None else "").strip()

    def ids(self) -> frozenset[str]:
        """Return every id on the page."""
        return frozenset(attribute(raw, "id") for raw in self.document.select("[id]"))

    @property
    def body(self) -> Raw | None:
        """The page's body, or its root where there is none."""
        return self.one("body") or self.document.root


def parse(text: str) -> Page:
    """Parse a page; broken markup is repaired as a browser repairs it."""
    return Page(turbohtml.parse(text))


def attribute(raw: Raw, name: str) -> str:
    """Return an attribute's value as text, or an empty string."""
    value = raw.attrs.get(name, "")
    return " ".join(value) if isinstance(value, list) else value or ""


def words(raw: Raw) -> str:
    """Return an element's text with white space collapsed."""
    return " ".join(raw.text.split())


def path(raw: Raw) -> str:
    """Return a CSS selector that finds the element on the page."""
    return raw.css_path()


def page_safe(text: str, flags: dict[str, None]) -> str:
    """Return text without characters that no reader sees; what kinds there were goes into `flags`."""
    cleaned = unsafe.clean(text)
    for flag in cleaned.flags:
        flags.setdefault(flag)
    return cleaned.text


def copy(root: Raw, drop: Iterable[Raw], flags: dict[str, None]) -> Element:
    """Return the light tree below an element without what is dropped; shadow roots stand in place of their hosts' children.

    Kinds of unsafe characters that were taken out of its text are added to `flags`.
    """
    dropped = set(drop)
    top = _element(root, root.tag, None)
    stack: list[tuple[Raw, Element, int]] = [(root, top, 0)]
    while stack:
        raw, element, depth = stack.pop()
        kids = element.kids
        shadow = raw.shadow_root
        for child in shadow.children if shadow is not None else raw.children:
            kind = child.__class__
            if kind is turbohtml.Text or kind is turbohtml.CData:
                data = child.data  # type: ignore[attr-defined]
                kids.append(data if data.isascii() else page_safe(data, flags))
            elif kind is Raw and child not in dropped:
                tag = child.tag  # type: ignore[attr-defined]
                if tag in _UNREAD and not _is_tex(child):  # type: ignore[arg-type]
                    continue
                below = _element(child, tag, element)  # type: ignore[arg-type]
                kids.append(below)
                if depth < MAX_DEPTH:
                    stack.append((child, below, depth + 1))  # type: ignore[arg-type]
                else:
                    below.kids.append(child.text)
    return top


def _is_tex(raw: Raw) -> bool:
    return raw.tag == "script" and attribute(raw, "type").startswith("math/tex")


def _element(raw: Raw, tag: str, parent: Element | None) -> Element:
    attrs = raw.attrs.copy()
    classes = attrs.pop("class", None) if attrs else None
    names = tuple(classes.split() if isinstance(classes, str) else classes) if classes else ()
    return Element(tag, attrs, names, parent, raw)  # type: ignore[arg-type]
