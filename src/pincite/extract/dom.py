"""The seam to the HTML parser, and the light tree that the writer walks.

In: HTML text. Out: `Page` (CSS selection at the parser's speed) and `Element` trees. Only this module and `encoding` know the parser.
turbohtml was chosen by measurement: linear on 40,000 attributes (lexbor and lxml are quadratic), no lost depth, least memory.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import turbohtml
from turbohtml import SelectorSyntaxError

from pincite.errors import UsageError
from pincite.extract import selecting, unsafe

Raw = turbohtml.Element
Text = turbohtml.Text
CData = turbohtml.CData
HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
MAX_DEPTH = 240
"""Deeper elements are read as if they stood at this depth; no page that a person wrote comes near."""
# What holds nothing that is read, wherever it stands: a selector does not reach into shadow roots.
_UNREAD = frozenset(("script", "style", "template", "link", "meta", "svg", "button", "input", "select", "textarea", "iframe", "noscript"))
_BLANK = " \t\r\n\f"
_MARKED = "[id], a[name], [style], [hidden], [role]"
"""What `copy` asks more of than its class."""
_SPACE = re.compile(r"[ \t\r\n\f]{2,}|[\t\r\n\f]")


class Element:
    """An element of the light tree. `kids` are elements and strings; `raw` is the parser's own node."""

    __slots__ = ("blocky", "classes", "kids", "name", "parent", "raw", "tag")

    def __init__(self, tag: str, classes: tuple[str, ...], parent: Element | None, raw: Raw) -> None:
        self.tag = tag
        self.classes = classes
        self.kids: list[Element | str] = []
        self.parent = parent
        self.raw = raw
        self.name = ""
        """What a fragment can say for it: its id, or the name of an `a` (HTML, find a potential indicated element)."""
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
        return self.raw.attr(name) or ""

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
    if "\n" in text or "  " in text or "\t" in text or "\r" in text or "\f" in text:
        if text.isascii() and "\v" not in text:
            words = " ".join(text.split())
            if not words:
                return " "
            return (" " if text[0] in _BLANK else "") + words + (" " if text[-1] in _BLANK else "")
        return _SPACE.sub(" ", text)
    return text


@dataclass(slots=True)
class Page:
    """A parsed page."""

    document: turbohtml.Document
    flags: dict[str, None] = field(default_factory=dict)
    _names: selecting.Names | None = None

    def select(self, selector: str, within: Raw | None = None) -> list[Raw]:
        """Return the elements that a CSS selector matches, in order. Raises UsageError for one that can't be read."""
        possible = selecting.possible(selector, self.names())
        return self._select(", ".join(part.selector for part in possible), within) if possible else []

    def having(self, selector: str) -> list[Raw]:
        """Return the elements of the page that a CSS selector matches, in any order. Raises UsageError for one that can't be read."""
        found: list[Raw] = []
        tagged: dict[str, list[str]] = {}
        for part in selecting.possible(selector, self.names()):
            tagged.setdefault(part.tag, []).append(part.selector)
        for tag, selectors in tagged.items():
            joined = ", ".join(selectors)
            if tag and tag != joined:
                found += [raw for raw in self._select(tag) if _matches(raw, joined)]
            else:
                found += self._select(joined)
        return found

    def _select(self, selector: str, within: Raw | None = None) -> list[Raw]:
        try:
            return (within or self.document).select(selector)
        except SelectorSyntaxError as error:
            raise _unreadable(selector, error) from error

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
        return self.names().ids

    def names(self) -> selecting.Names:
        """Return what the page's elements are called; gathered once."""
        if self._names is None:
            found, named = set[str | None](), set[str | None]()
            for element in self.document.select("[id], [class]"):
                found.add(element.attr("id"))
                named.add(element.attr("class"))
            ids = frozenset(name for name in found if name is not None)
            classes = " ".join(filter(None, named)).lower()
            self._names = selecting.Names(ids, frozenset(classes.split()), frozenset([name.lower() for name in ids]), classes)
        return self._names

    @property
    def body(self) -> Raw | None:
        """The page's body, or its root where there is none."""
        return self.one("body") or self.document.root


def _matches(raw: Raw, selector: str) -> bool:
    try:
        return raw.matches(selector)
    except SelectorSyntaxError as error:
        raise _unreadable(selector, error) from error


def _unreadable(selector: str, error: SelectorSyntaxError) -> UsageError:
    return UsageError(f"The selector `{selector}` can't be read: {error}.")


def parse(text: str) -> Page:
    """Parse a page; broken markup is repaired as a browser repairs it."""
    return Page(turbohtml.parse(text))


def check(selector: str) -> None:
    """Raise UsageError for a CSS selector that can't be read."""
    _matches(turbohtml.E("p"), selector)


def attribute(raw: Raw, name: str) -> str:
    """Return an attribute's value as text, or an empty string."""
    return raw.attr(name) or ""


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


@dataclass(frozen=True, slots=True)
class Tree:
    """A light tree, all its elements, and whether words were left out that the page does not show."""

    root: Element
    elements: list[Element]
    hidden: bool
    text: str
    """All text in it, in any order."""

    def release(self) -> None:
        """Cut the tree's cycles once it has been read, so that it is freed at once rather than searched for."""
        for element in self.elements:
            element.parent = None


@dataclass(frozen=True, slots=True)
class Drop:
    """What is left out of a tree: single elements, all of some tags, all of some roles."""

    elements: Collection[Raw] = frozenset()
    tags: Collection[str] = frozenset()
    roles: Collection[str] = frozenset()


class Shown(Protocol):
    """Judges elements of a page: `seen` those with a `style` or `hidden`; `flat` each `pre`, whether its text is all there is to it."""

    def seen(self, raw: Raw, /) -> bool:
        """Say whether a reader sees the element."""

    def flat(self, raw: Raw, /) -> bool:
        """Say whether a `pre` needs no tree: nothing in it is dropped, drawn as lines, or named."""


def copy(root: Raw, drop: Drop, shown: Shown, flags: dict[str, None]) -> Tree:
    """Return the light tree below an element without what is dropped or unseen.

    Shadow roots stand in place of their hosts' children. Kinds of unsafe characters that were taken out of its text are added to `flags`.
    """
    hidden = False
    dropped, roles, tags = drop.elements, drop.roles, frozenset(drop.tags) | _UNREAD
    unsafe_text = unsafe.suspect(root.text)
    shadowed = root.shadow_root is not None
    marked = {*root.select(_MARKED), *dropped}
    names: dict[str | None, tuple[str, ...]] = {None: ()}
    top = Element(root.tag, tuple(attribute(root, "class").split()), None, root)
    top.name = attribute(root, "id")
    elements, texts = [top], list[str]()
    stack: list[tuple[Sequence[turbohtml.Node], Element, int]] = [(_inside(root), top, 0)]
    while stack:
        children, element, depth = stack.pop()
        kids = element.kids
        for child in children:
            kind = child.__class__
            if kind is Text or kind is CData:
                text = page_safe(child.data, flags) if unsafe_text else child.data  # type: ignore[attr-defined]
                kids.append(text)
                texts.append(text)
                continue
            if kind is not Raw:
                continue
            raw: Raw = child  # type: ignore[assignment]
            tag = raw.tag
            if tag in tags and not (tag == "script" and _is_tex(raw)):
                continue
            name = ""
            if shadowed or raw in marked:
                ask = raw.attr
                if raw in dropped or (ask("role") in roles and tag not in HEADINGS):
                    continue
                if (ask("style") is not None or ask("hidden") is not None) and not shown.seen(raw):
                    hidden = hidden or bool(raw.text.strip())
                    continue
                name = ask("id") or (tag == "a" and ask("name")) or ""
            given = raw.attr("class")
            classes = names.get(given)
            if classes is None:
                classes = names[given] = tuple(given.split()) if given else ()
            below = Element(tag, classes, element, raw)
            below.name = name
            elements.append(below)
            kids.append(below)
            shadow = raw.shadow_root
            inner = raw.children if shadow is None else shadow.children
            if shadow is not None:
                unsafe_text = shadowed = True
            if len(inner) == 1 and inner[0].__class__ is Text:
                text = page_safe(inner[0].data, flags) if unsafe_text else inner[0].data
                below.kids.append(text)
                texts.append(text)
            elif depth >= MAX_DEPTH:
                below.kids.append(raw.text)
                texts.append(raw.text)
            elif tag == "pre" and shown.flat(raw):
                texts.append(_flat(below, elements, flags))
            elif inner:
                stack.append((inner, below, depth + 1))
    return Tree(top, elements, hidden, "".join(texts))


def _inside(raw: Raw) -> Sequence[turbohtml.Node]:
    shadow = raw.shadow_root
    return raw.children if shadow is None else shadow.children


def _flat(pre: Element, elements: list[Element], flags: dict[str, None]) -> str:
    """Give a `pre` its text as one string, below its `code` where it has one, and return it."""
    code = pre.raw.select_one("code")
    if code is not None:
        element = Element("code", tuple(attribute(code, "class").split()), pre, code)
        element.name = attribute(code, "id")
        elements.append(element)
        pre.kids.append(element)
        pre = element
    text = page_safe(pre.raw.text, flags)
    pre.kids.append(text)
    return text


def _is_tex(raw: Raw) -> bool:
    return raw.tag == "script" and attribute(raw, "type").startswith("math/tex")
