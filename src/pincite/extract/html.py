"""HTML pages: main content by rule, written as our own Markdown.

In: the page's text and its address. Out: a `Reading`: canonical text, outline, title, language, links, which rule was used.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pincite.extract import articles, caps, content, dom, garbage, languages
from pincite.extract.reading import Reading
from pincite.extract.rules import Rules
from pincite.extract.writer import Writer
from pincite.types import Block
from pincite.urls import is_web, join, split_fragment

VERSION = "html@4"
_ORIGIN = re.compile(r"(https?://[^/?#]+)/")
_SIMPLE = re.compile(r"/?[\w~@%+-]+(?:[./][\w~@%+-]+)*[./]?(?:#\S*)?$", re.A)
"""Relative addresses that only have to be put behind the origin or the folder."""
_DOTTED = re.compile(r"((?:\.{1,2}/)+)([\w~@%+-]+(?:[./][\w~@%+-]+)*[./]?(?:#\S*)?)$", re.A)
"""Relative addresses that begin with steps up, and have none further on."""
_CODE = re.compile(r"\s*(?:javascript|data|vbscript):", re.I)


def read(text: str, url: str, using: Rules) -> Reading:
    """Read a page. Headings, terms and blocks carry the page's own ids."""
    with garbage.paused():
        return _read(text, url, using)


def _read(text: str, url: str, using: Rules) -> Reading:
    text, exceeded = caps.within(text)
    page = dom.parse(text)
    base = base_of(page, url)
    choice = content.choose(page, url, using)
    absolute = _resolver(base)
    writer = Writer(absolute, page.ids())
    shown, main_path, hidden = 0, "", False
    article = choice.rule.startswith("generic") and articles.is_article(page, marked=choice.rule != "generic:body")
    if article:
        choice = content.body_of(page, using)
    for main in choice.mains:
        tree = choice.tree(main, page)
        root, hidden = tree.root, hidden or tree.hidden
        if article:
            found = articles.find(root)
            if found is None:
                tree.release()
                tree = choice.tree(main, page)
                found = tree.root
            root = found
        shown += content.visible_length(root.text() if article else tree.text)
        writer.write(root)
        main_path = main_path or dom.path(root.raw)
        tree.release()
    outline = writer.ink.outline
    canonical = writer.ink.text
    sections, blocks = outline.finish(len(canonical))
    kept = _visible_length(canonical, blocks)
    first = next((s.title for s in sections if s.kind == "heading" and s.level == 1), "")
    return Reading(
        text=canonical,
        sections=sections,
        blocks=blocks,
        extractor=VERSION,
        title=_title(page) or first,
        language=languages.declared(page) or languages.guess(canonical),
        canonical_url=_canonical(page, base),
        links=links(page, base, absolute),
        retention=min(1.0, kept / shown) if shown else 1.0,
        rule="article" if article else choice.rule,
        main_path=main_path,
        flags=(*dict.fromkeys((*exceeded, *writer.exceeded)), *_flags(page, hidden)),
    )


def base_of(page: dom.Page, url: str) -> str:
    """Return the address that the page's links are relative to: its `base`, else its own."""
    href = next((found for base in page.select("base") if (found := dom.attribute(base, "href").strip())), "")
    return join(url, href) if href else url


def links(page: dom.Page, base: str, absolute: Callable[[str], str] | None = None) -> tuple[str, ...]:
    """Return the absolute targets of the page's links, in order, without fragments and without duplicates."""
    found: dict[str, None] = {}
    linking = page.select("a[href], area[href]" if page.select("area") else "a")
    hrefs = dict.fromkeys([href.partition("#")[0].strip() for link in linking if (href := link.attr("href")) is not None])
    absolute = absolute or _resolver(base)
    own = split_fragment(base)[0]
    for href in hrefs:
        target = absolute(href) if href else own
        if target and (is_web(target) or target.startswith("file:")):
            found.setdefault(target)
    return tuple(found)


def _visible_length(text: str, blocks: tuple[Block, ...]) -> int:
    """Count the characters of all blocks that show and are no white space."""
    hidden = "".join([text[span.start : span.end] for block in blocks for span in block.hidden])
    return content.visible_length(text) - content.visible_length(hidden)


class _Known(dict[str, str]):
    """Addresses as they stand in a page, and what they mean; worked out where they are first asked for."""

    def __init__(self, base: str) -> None:
        super().__init__()
        self.base = base
        self.bare = split_fragment(base)[0]
        origin = _ORIGIN.match(self.bare)
        self.root, self.folder = (origin.group(1), self.bare.partition("?")[0].rpartition("/")[0] + "/") if origin else ("", "")
        self.plain = bool(self.root) and not re.search(r"//|/\.", self.folder[len(self.root) :])

    def __missing__(self, href: str) -> str:
        target = self[href] = self._absolute(href)
        return target

    def _absolute(self, href: str) -> str:
        if href[:8].lower().startswith(("http://", "https://")):
            return href
        if href[:1] == "#":
            return self.bare + href
        root = self.root
        if root and (self.plain or href[:1] == "/") and _SIMPLE.match(href):
            return root + href if href[0] == "/" else self.folder + href
        if self.plain and (dotted := _DOTTED.match(href)):
            return root + _walked(self.folder[len(root) :], dotted.group(1)) + dotted.group(2)
        return "" if _CODE.match(href) else join(self.base, href)


def _resolver(base: str) -> Callable[[str], str]:
    return _Known(base).__getitem__


def _walked(folder: str, steps: str) -> str:
    """Return the folder that `./` and `../` lead to from a folder, never above the root."""
    parts = folder.strip("/").split("/")
    up = min(steps.count("../"), len(parts))
    parts = parts[: len(parts) - up]
    return "/" + "/".join(parts) + "/" if parts and parts[0] else "/"


def _title(page: dom.Page) -> str:
    title = page.one("head title") or page.one("title")
    words = dom.page_safe(dom.words(title), page.flags) if title is not None else ""
    heading = page.one("h1")
    return words or (dom.words(heading).rstrip("¶#§ ") if heading is not None else "")


def _canonical(page: dom.Page, base: str) -> str:
    href = page.attribute("link[rel~=canonical]", "href")
    return join(base, href) if href else ""


def _flags(page: dom.Page, hidden: bool) -> tuple[str, ...]:
    robots = page.attribute("meta[name=robots i]", "content").lower()
    flags = [name for name in ("noindex", "noarchive") if name in robots or ("none" in robots and name == "noindex")]
    return (*flags, *(["hidden-text"] if hidden else []), *page.flags)
