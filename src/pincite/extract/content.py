"""Where the content of a page stands, and what in it is no content: the user's rules, those of generators, then general ones.

In: a parsed page, its address, rules. Out: the elements that hold the content, the elements to leave out, and the rule's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from pincite.extract import preformatted
from pincite.extract.dom import HEADINGS, Drop, Page, Raw, Tree, attribute, copy
from pincite.extract.rules import Rule, Rules
from pincite.extract.selecting import plain, possible

_SPACES = b" \n\t\r\f\v"
MARKED = 400
"""So many elements that could tell a page's generator are looked at."""
_AROUND = "header:not(:has(h1)), footer, aside, .sidebar, #sidebar, .footer, #footer, .menu, #menu, #nav, .nav, .navbar, .navigation"
"""What surrounds the content of a page that marks its content in no way."""
_JUNK_LINK = re.compile(
    r"^[\s\u200b\u00b6\u00a7#\U0001f517\uf0c1\u2693\u21a9]*$"
    r"|^\W*(?:permalink|direct link to|link to this|copy link|source|edit|\[src\]|view source)\b",
    re.I,
)
_HIDDEN_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])|opacity\s*:\s*0(?![.\d])"
    r"|(?:left|top|text-indent)\s*:\s*-\d{4,}|(?<![-\w])clip\s*:\s*rect\(0",
    re.I,
)
_WHITE = re.compile(r"(?<![-\w])color\s*:\s*(#fff(?:fff)?|white)\b", re.I)
_WHITE_GROUND = re.compile(r"background(?:-color)?\s*:\s*(#fff(?:fff)?|white)\b", re.I)


@dataclass(frozen=True, slots=True)
class Choice:
    """The content of a page."""

    rule: str
    mains: tuple[Raw, ...]
    drop: Drop

    def tree(self, main: Raw, page: Page) -> Tree:
        """Return the light tree of one of the mains, without what is left out and what the page does not show."""
        special = ", ".join(part.selector for part in possible(preformatted.SPECIAL, page.names()))
        return copy(main, self.drop, _Shown(len(main.text) * 0.5, special, self._around), page.flags)

    @property
    def _around(self) -> frozenset[Raw | None]:
        """The blocks of code that something is dropped from."""
        return frozenset(raw.closest("pre") for raw in self.drop.elements)


@dataclass(frozen=True, slots=True)
class _Shown:
    """Judges elements by their own styles: what hides much of a page is a mistake of ours."""

    most: float
    special: str
    cut: frozenset[Raw | None]

    def seen(self, raw: Raw) -> bool:
        return not _is_hidden(raw) or len(raw.text) >= self.most

    def flat(self, raw: Raw) -> bool:
        if raw in self.cut or raw.select_one(self.special) is not None:
            return False
        code = raw.select_one("code")
        return code is None or len(code.text) == len(raw.text)


def choose(page: Page, url: str, rules: Rules) -> Choice:
    """Find the content of a page."""
    marked = page.having(rules.marks)[:MARKED] if rules.marks else []
    for rule in rules.rules:
        if not _recognised(marked, url, rule):
            continue
        for selector in rule.main:
            found = _outermost(page.select(selector))
            if found and any(len(m.text.strip()) > 20 for m in found):
                return _choice(page, rule.name, found, rules.drop, rule.drop)
    return _generic(page, rules)


def _recognised(marked: list[Raw], url: str, rule: Rule) -> bool:
    if rule.hosts and urlsplit(url).hostname not in rule.hosts:
        return False
    return not rule.marks or any(element.matches(rule.marks) for element in marked)


def _generic(page: Page, rules: Rules) -> Choice:
    body = page.body
    if body is None:
        return Choice("empty", (), Drop())
    whole = -1
    for selector in rules.generic:
        found = _outermost(page.select(selector))
        if not found:
            continue
        whole = _length(body) if whole < 0 else whole
        size = sum(map(_length, found))
        if size > whole * 0.25 and size > min(200, whole * 0.5):
            return _choice(page, f"generic:{selector}", found, rules.drop, "")
    return body_of(page, rules)


def _length(raw: Raw) -> int:
    """Return how many characters other than white space stand below an element, scripts and styles apart."""
    inside = sum(visible_length(code.text) for tag in ("script", "style", "template", "noscript") for code in raw.select(tag))
    return visible_length(raw.text) - inside


def visible_length(text: str) -> int:
    """Count the bytes in UTF-8 that are no white space: a measure of how much a reader sees."""
    return len(text.replace("\xa0", " ").encode("utf-8", "replace").translate(None, _SPACES))


def body_of(page: Page, rules: Rules) -> Choice:
    """Return the whole body but for what surrounds content on any page."""
    body = page.body
    if body is None:
        return Choice("empty", (), Drop())
    return _choice(page, "generic:body", [body], rules.drop, _AROUND)


def _choice(page: Page, name: str, mains: list[Raw], *drops: str) -> Choice:
    tags, roles, dropped = frozenset[str](), frozenset[str](), set[Raw]()
    for drop in map(plain, drops):
        tags, roles = tags | drop.tags, roles | drop.roles
        dropped.update(page.having(drop.rest))
    dropped.update(link for link in _heading_links(page) if _is_junk(link))
    return Choice(name, tuple(mains), Drop(frozenset(d for d in dropped if d.tag not in HEADINGS), tags - HEADINGS, roles))


def _heading_links(page: Page) -> Iterator[Raw]:
    """Yield the links in headings and terms, and those that call themselves anchors."""
    for tag in (*HEADINGS, "dt"):
        for element in page.select(tag):
            yield from element.select("a")
    yield from page.having("a.anchor")


def _is_junk(link: Raw) -> bool:
    text = link.text.strip()
    if not text and (attribute(link, "id") or attribute(link, "name")) and link.select_one("img") is None:
        return False
    return _JUNK_LINK.match(text) is not None and link.select_one("img[alt]") is None


def _is_hidden(element: Raw) -> bool:
    if element.attr("hidden") is not None and attribute(element, "hidden") != "until-found":
        return attribute(element, "role") != "tabpanel"
    style = attribute(element, "style")
    if not style or element.tag in HEADINGS:
        return False
    if _HIDDEN_STYLE.search(style):
        return attribute(element, "role") != "tabpanel"
    return _WHITE.search(style) is not None and _WHITE_GROUND.search(style) is not None


def _outermost(found: list[Raw]) -> list[Raw]:
    if len(found) < 2:
        return found
    inside: set[Raw] = set()
    out: list[Raw] = []
    for element in found:
        if element not in inside:
            out.append(element)
            inside.update(element.iter_elements())
    return out
