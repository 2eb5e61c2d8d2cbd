"""HTML pages: main content by rule, written as our own Markdown.

In: the page's text and its address. Out: a `Reading`: canonical text, outline, title, language, links, which rule was used.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pincite.extract import content, dom, languages
from pincite.extract.reading import Reading
from pincite.extract.rules import Rules
from pincite.extract.writer import Writer
from pincite.types import Block
from pincite.urls import is_web, join, split_fragment

VERSION = "html@1"
_WORD = re.compile(r"\w+")
_SITE = re.compile(r"\s+(?:[|·—–»•-]|::)\s+")


def read(text: str, url: str, rules: Rules) -> Reading:
    """Read a page. Headings, terms and blocks carry the page's own ids."""
    page = dom.parse(text)
    base = base_of(page, url)
    choice = content.choose(page, url, rules)
    writer = Writer(_resolver(base), page.ids())
    shown = 0
    for main in choice.mains:
        tree = dom.copy(main, choice.drop)
        shown += len(_WORD.findall(tree.text()))
        writer.write(tree)
    outline = writer.ink.outline
    canonical = writer.ink.text
    sections, blocks = outline.finish(len(canonical))
    kept = _visible_words(canonical, blocks)
    first = next((s.title for s in sections if s.kind == "heading" and s.level == 1), "")
    return Reading(
        text=canonical,
        sections=sections,
        blocks=blocks,
        extractor=VERSION,
        title=_title(page) or first,
        language=languages.declared(page) or languages.guess(canonical),
        canonical_url=_canonical(page, base),
        links=links(page, base),
        retention=min(1.0, kept / shown) if shown else 1.0,
        rule=choice.rule,
        main_path=dom.path(choice.mains[0]) if choice.mains else "",
        flags=_flags(page, choice),
    )


def base_of(page: dom.Page, url: str) -> str:
    """Return the address that the page's links are relative to: its `base`, else its own."""
    href = page.attribute("base[href]", "href")
    return join(url, href) if href else url


def links(page: dom.Page, base: str) -> tuple[str, ...]:
    """Return the absolute targets of the page's links, in order, without fragments and without duplicates."""
    found: dict[str, None] = {}
    for link in page.select("a[href], area[href]"):
        target = split_fragment(join(base, dom.attribute(link, "href")))[0]
        if target and (is_web(target) or target.startswith("file:")):
            found.setdefault(target)
    return tuple(found)


def _visible_words(text: str, blocks: tuple[Block, ...]) -> int:
    count = 0
    for block in blocks:
        at, parts = block.span.start, []
        for hidden in block.hidden:
            parts.append(text[at : hidden.start])
            at = hidden.end
        parts.append(text[at : block.span.end])
        count += len(_WORD.findall("".join(parts)))
    return count


def _resolver(base: str) -> Callable[[str], str]:
    def resolve(href: str) -> str:
        if href.lower().startswith(("javascript:", "data:", "vbscript:")):
            return ""
        return join(base, href)

    return resolve


def _title(page: dom.Page) -> str:
    title = page.one("head title") or page.one("title")
    words = dom.words(title) if title is not None else ""
    heading = page.one("h1")
    return words or (dom.words(heading).rstrip("¶#§ ") if heading is not None else "")


def _canonical(page: dom.Page, base: str) -> str:
    href = page.attribute("link[rel~=canonical]", "href")
    return join(base, href) if href else ""


def _flags(page: dom.Page, choice: content.Choice) -> tuple[str, ...]:
    robots = page.attribute("meta[name=robots i]", "content").lower()
    flags = [name for name in ("noindex", "noarchive") if name in robots or ("none" in robots and name == "noindex")]
    return (*flags, *(["hidden-text"] if choice.hidden else []))
