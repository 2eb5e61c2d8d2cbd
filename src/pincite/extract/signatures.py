"""Terms of definition lists and API signatures: what to print, what to call the section, which symbol it is.

In: `dl` and `dt` elements. Out: entries in order, and `Term` values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.extract.dom import Element
from pincite.extract.ink import Piece
from pincite.extract.inline import Inline

CODE_LINES = 12
"""A `pre` in a term is a signature up to so many lines."""
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Term:
    """A term: its pieces, the title of its section, the symbol and signature where it is one."""

    pieces: list[Piece]
    title: str
    symbol: str | None = None
    signature: str | None = None


def entries(element: Element) -> Iterator[Element | str]:
    """Yield the terms and descriptions of a definition list, groups in `div` opened, and whatever else stands in it."""
    for kid in element.kids:
        if isinstance(kid, str):
            yield kid
        elif kid.tag in ("div", "section", "span") and any(k.tag in ("dt", "dd") for k in kid.elements()):
            yield from entries(kid)
        else:
            yield kid


def follows_term(element: Element) -> bool:
    """Say whether a term stands directly under another, so that both share what follows."""
    if element.parent is None:
        return False
    before: Element | None = None
    for kid in element.parent.elements():
        if kid is element:
            return before is not None and before.tag == "dt"
        before = kid
    return False


def is_code_term(element: Element, blocks: list[str]) -> bool:
    """Say whether a term with blocks in it is a signature in a `pre` of a few lines, as Nim's pages have them."""
    return blocks == ["pre"] and element.text().strip().count("\n") < CODE_LINES


def term(element: Element, inline: Inline) -> Term:
    """Return what a `dt` says."""
    if element.has("sig") or any(e.has("descname", "sig-name") for e in element.walk()):
        return _signature(element)
    pieces = inline.pieces(element.kids, heading=True)
    title = " ".join("".join(text for text, shows in pieces if shows).split())
    return Term(pieces, title)


def is_prototype(element: Element) -> bool:
    """Say whether an element with classes is drawn as a signature: by Doxygen, Javadoc or Haddock."""
    classes = element.classes
    if element.tag == "div":
        return "memproto" in classes or "member-signature" in classes or "type-signature" in classes
    return "src" in classes and element.tag == "p"


def prototype(element: Element) -> list[Piece]:
    """Return a signature that is drawn as a table or with links and breaks, on one line of code."""
    parts: list[str] = []
    _broken(element, parts)
    text = _SPACES.sub(" ", "".join(parts).replace("\xa0", " ")).strip()
    return _code(text) if text else []


def _broken(element: Element, parts: list[str]) -> None:
    for kid in element.kids:
        if isinstance(kid, str):
            parts.append(kid)
        elif kid.tag == "br":
            parts.append(" ")
        else:
            _broken(kid, parts)


def _code(text: str) -> list[Piece]:
    mark = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if "`" in (text[:1], text[-1:]) else ""
    return [(mark + pad, False), (text, True), (pad + mark, False)]


def _signature(element: Element) -> Term:
    lines = _SPACES.sub(" ", element.text()).strip()
    name = "".join(
        e.text() for e in element.walk() if e.has("sig-prename", "descclassname", "sig-name", "descname") and not _inside(e)
    ).strip()
    symbol = _SPACES.sub("", name) or None
    return Term(_code(lines), symbol or lines, symbol, lines)


def _inside(element: Element) -> bool:
    return any(a.has("sig-prename", "descclassname", "sig-name", "descname") for a in element.ancestors())
