"""Inline content as Markdown pieces: emphasis, code, links, images, math, sub and sup, breaks.

In: nodes of the light tree. Out: pieces (text, whether a reader sees it), white space collapsed as a browser does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite.extract import mathematics, preformatted, unsafe
from pincite.extract.dom import Element, collapse
from pincite.extract.ink import Piece

_ESCAPED = re.compile(r"[\\`*]|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?])|\](?=[(\[])|~(?=~)")
_MAYBE_ESCAPED = re.compile(r"[\\`*_<\]~]")
"""What `_ESCAPED` can begin with; found much faster."""
_START = re.compile(r"(#{1,6}(?=\s|$)|[-+](?=\s|$)|>|=+\s*$|\|)|(\d{1,9})([.)])(?=\s|$)")
_BREAK: Piece = ("\n", True)
_CLOSING = re.compile(r"[ ()<>|]")
_SHUT = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "|": "%7C"})
"""What would end a link's target early."""
_WRAPS = {"strong": "**", "b": "**", "em": "*", "i": "*", "cite": "*", "dfn": "*", "var": "*", "del": "~~", "s": "~~", "strike": "~~"}
_CODES = frozenset(("code", "tt", "samp", "kbd"))
UNESCAPED = 100_000
"""A longer text node is no prose: nothing in it is escaped."""
CELL_CODE = 160
"""Characters of a code block that are named in its table cell."""


@dataclass(slots=True)
class Inline:
    """Writes inline content. `resolve` makes links absolute; `links` collects them in order."""

    resolve: Callable[[str], str]
    links: dict[str, None] = field(default_factory=dict)
    in_table: bool = False

    def pieces(self, nodes: Sequence[Element | str], *, heading: bool = False) -> list[Piece]:
        """Return the nodes' pieces, white space at the ends stripped, a mark at the start of a line escaped."""
        if len(nodes) == 1 and nodes[0].__class__ is str and not self.in_table:
            text = collapse(nodes[0]).strip(" ")
            if _MAYBE_ESCAPED.search(text) is None:
                return [] if not text else [(text, True)] if heading else guarded([(text, True)])
        out: list[Piece] = []
        self._nodes(nodes, out, heading)
        return guarded(tidy(out)) if not heading else tidy(out)

    def _nodes(self, nodes: Sequence[Element | str], out: list[Piece], heading: bool) -> None:
        for node in nodes:
            if node.__class__ is Element:
                self._node(node, out, heading)
            elif _MAYBE_ESCAPED.search(text := collapse(node)) is None and not self.in_table:  # type: ignore[arg-type]
                out.append((text, True))
            else:
                self._text(text, out)

    def _node(self, node: Element, out: list[Piece], heading: bool) -> None:
        tag = node.tag
        if self.in_table and (tag == "pre" or preformatted.is_code(node)):
            self._cell_code(node, out)
        elif tag == "br":
            out += [(" ", True)] if heading else [(" ", True), ("<br>", False)] if self.in_table else [("\\", False), ("\n", True)]
        elif (tag in _CODES or (tag == "span" and "code" in node.classes)) and not (tag == "kbd" and node.first("kbd")):
            self._code(node, out)
        elif tag == "a" and node.get("href"):
            self._link(node, out, heading)
        elif tag == "img":
            self._image(node, out)
        elif tag in _WRAPS and not (heading and tag in ("strong", "b")):
            self._wrap(node, _WRAPS[tag], out, heading)
        elif tag in ("sub", "sup") and node.kids:
            self._tag(node, tag, out, heading)
        elif (tex := mathematics.tex(node)) is not None:
            mark = "$$" if mathematics.displayed(node) and not self.in_table else "$"
            out += [(mark, False), (collapse(tex).strip(), True), (mark, False)]
        elif tag == "rt" or tag == "rp":
            inner = self._inner(node, heading)
            out += [("(", False), *inner, (")", False)] if tag == "rt" else []
        elif tag == "q":
            out += [("“", True), *self._inner(node, heading), ("”", True)]
        elif tag in BLOCKS and out and not node.has("inline"):
            out += [(" ", True), ("<br>", False)] if self.in_table else [(" ", True)]
            self._nodes(node.kids, out, heading)
            out.append((" ", True))
        else:
            self._nodes(node.kids, out, heading)

    def _inner(self, node: Element, heading: bool) -> list[Piece]:
        inner: list[Piece] = []
        self._nodes(node.kids, inner, heading)
        return inner

    def _text(self, text: str, out: list[Piece]) -> None:
        if self.in_table and "|" in text:
            for i, part in enumerate(text.split("|")):
                if i:
                    out += [("\\", False), ("|", True)]
                self._plain(part, out)
        else:
            self._plain(text, out)

    @staticmethod
    def _plain(text: str, out: list[Piece]) -> None:
        at = 0
        if len(text) > UNESCAPED or _MAYBE_ESCAPED.search(text) is None:
            out.append((text, True))
            return
        for found in _ESCAPED.finditer(text):
            if found.group() == "*" and text[found.start() - 1 : found.start()] == " " == text[found.end() : found.end() + 1]:
                continue
            if found.start() > at:
                out.append((text[at : found.start()], True))
            out.append(("\\", False))
            at = found.start()
        if at < len(text):
            out.append((text[at:], True))

    def _code(self, node: Element, out: list[Piece]) -> None:
        text = collapse(node.text())
        if not text.strip():
            if text:
                out.append((" ", True))
            return
        lead, tail = text[: len(text) - len(text.lstrip(" "))], text[len(text.rstrip(" ")) :]
        text = text.strip(" ")
        mark = "`" if "`" not in text else "`" * (max(len(run) for run in re.findall("`+", text)) + 1)
        pad = " " if text[0] == "`" or text[-1] == "`" else ""
        if lead:
            out.append((lead, True))
        out.append((mark + pad, False))
        if self.in_table and "|" in text:
            for i, part in enumerate(text.split("|")):
                out += [("\\", False), ("|", True)] if i else []
                out.append((part, True))
        else:
            out.append((text, True))
        out.append((pad + mark, False))
        if tail:
            out.append((tail, True))

    @staticmethod
    def _cell_code(node: Element, out: list[Piece]) -> None:
        """Put a code block's words into its cell, unseen: the block itself is written below the table, with its line ends."""
        text = collapse(preformatted.text(node)).strip().replace("|", "\\|")
        if text:
            mark = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
            cut = text if len(text) <= CELL_CODE else text[:CELL_CODE] + "…"
            out += [(" ", True), (f"{mark} {cut} {mark}" if "`" in text else f"{mark}{cut}{mark}", False), (" ", True)]

    def _link(self, node: Element, out: list[Piece], heading: bool) -> None:
        inner = self._inner(node, heading)
        href = node.get("href").strip()
        target = self.resolve(href)
        if target:
            self.links.setdefault(target)
        words = "".join([text for text, shows in inner if shows])
        if not target or (not words.strip() and not any("](" in text for text, _ in inner)) or (heading and href.startswith("#")):
            out += inner
            return
        lead, inner, tail = split_space(inner)
        shut = target if _CLOSING.search(target) is None else target.translate(_SHUT)
        out += [*lead, ("[", False), *_balanced(inner, words), (f"]({shut})", False), *tail]

    def _image(self, node: Element, out: list[Piece]) -> None:
        source = node.get("src") or node.get("data-src")
        alt = collapse(node.get("alt")).strip()
        if source.startswith("data:") or not source:
            source = ""
        if (not alt and not source) or node.get("width") == "1":
            return
        alt = unsafe.clean(alt).text
        alt = re.sub(r"([\[\]\\|*_`<])", r"\\\1", alt)
        out.append((f"![{alt}]({self.resolve(source).translate(_SHUT)})", False))

    def _wrap(self, node: Element, mark: str, out: list[Piece], heading: bool) -> None:
        lead, inner, tail = split_space(self._inner(node, heading))
        if not any(shows and text.strip() for text, shows in inner) or any("\n" in text for text, _ in inner) or inner[0] == (mark, False):
            out += [*lead, *inner, *tail]
        else:
            out += [*lead, (mark, False), *inner, (mark, False), *tail]

    def _tag(self, node: Element, tag: str, out: list[Piece], heading: bool) -> None:
        lead, inner, tail = split_space(self._inner(node, heading))
        plain = any("](" in text for text, shows in inner if not shows)
        out += [*lead, *inner, *tail] if plain or not inner else [*lead, (f"<{tag}>", False), *inner, (f"</{tag}>", False), *tail]


BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "search",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)


def tidy(pieces: list[Piece]) -> list[Piece]:
    """Collapse spaces across pieces and strip them at the ends and around breaks."""
    out: list[Piece] = []
    space = True
    for piece in pieces:
        text, shows = piece
        if shows:
            if text == "\n":
                _strip_end(out)
                space = True
            else:
                if space and text[:1] == " ":
                    text = text.lstrip(" ")
                    piece = (text, True)
                if not text:
                    continue
                space = text[-1] == " "
        out.append(piece)
    _strip_end(out)
    while out and (out[0] == _BREAK or (out[0] == ("\\", False) and len(out) > 1 and out[1] == _BREAK)):
        out.pop(0)
    return out


def _strip_end(out: list[Piece]) -> None:
    for i in range(len(out) - 1, -1, -1):
        text, shows = out[i]
        if not shows:
            if text in ("<br>", "\\"):
                continue
            if text.startswith("]("):
                break
            continue
        stripped = text.rstrip(" ")
        if stripped == text:
            break
        if stripped:
            out[i] = (stripped, True)
            break
        del out[i]
    while len(out) > 1 and (out[-1] == ("\n", True) and out[-2] == ("\\", False)):
        del out[-2:]
    while out and out[-1] == ("<br>", False):
        out.pop()


def split_space(pieces: list[Piece]) -> tuple[list[Piece], list[Piece], list[Piece]]:
    """Move white space at the ends out of the pieces, so that a mark can stand tight around them."""
    if not pieces or not ((pieces[0][1] and pieces[0][0][:1] == " ") or (pieces[-1][1] and pieces[-1][0][-1:] == " ")):
        return [], pieces, []
    body = list(pieces)
    lead: list[Piece] = []
    tail: list[Piece] = []
    if body[0][1] and body[0][0][:1] == " ":
        lead, body[0] = [(" ", True)], (body[0][0].lstrip(" "), True)
    if body[-1][1] and body[-1][0][-1:] == " ":
        tail, body[-1] = [(" ", True)], (body[-1][0].rstrip(" "), True)
    return lead, [p for p in body if p[0]], tail


def guarded(pieces: list[Piece]) -> list[Piece]:
    """Escape what would start a heading, list or quote at the start of a line."""
    out: list[Piece] = []
    fresh = True
    if _BREAK not in pieces and (not pieces or not pieces[0][1] or _START.match(pieces[0][0]) is None):
        return pieces
    for text, shows in pieces:
        if fresh and shows and (found := _START.match(text)):
            at = found.end(2) if found.group(2) else 0
            out += [(text[:at], True), ("\\", False), (text[at:], True)] if at else [("\\", False), (text, True)]
        else:
            out.append((text, shows))
        fresh = shows and text.endswith("\n")
    return out


def _balanced(pieces: list[Piece], text: str) -> list[Piece]:
    """Escape brackets in a link's words where they don't pair."""
    if ("[" not in text and "]" not in text) or text.count("[") == text.count("]"):
        return pieces
    out: list[Piece] = []
    for part, shows in pieces:
        if not shows:
            out.append((part, shows))
            continue
        for bit in re.split(r"([\[\]])", part):
            if bit in ("[", "]"):
                out.append(("\\", False))
            if bit:
                out.append((bit, True))
    return out
