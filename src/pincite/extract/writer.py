"""Our own Markdown writer: a tree of content becomes canonical text with sections and blocks.

In: the light tree of the main content, cleaned of navigation. Out: the `Ink` with text, outline and links.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.extract import admonitions, caps, drawn, mathematics, preformatted, signatures, tables, tabs
from pincite.extract.dom import Element, path
from pincite.extract.ids import Ids
from pincite.extract.ink import Container, Ink, Piece
from pincite.extract.inline import BLOCKS, Inline

_DEFINED = ":   "


class Writer:
    """Writes one page."""

    def __init__(self, resolve: Callable[[str], str], ids: frozenset[str] = frozenset()) -> None:
        self.ink = Ink()
        self.inline = Inline(resolve)
        self._known = ids
        self.exceeded: tuple[str, ...] = ()
        self.ids = Ids(ids)

    def write(self, root: Element) -> None:
        """Write all content below an element."""
        self.ids = Ids(self._known)
        self._flow(root)

    def _flow(self, element: Element) -> None:
        """Write an element's children: runs of inline content as paragraphs, blocks each in their own way."""
        run: list[Element | str] = []
        for kid in element.kids:
            if len(self.ink.outline.blocks) >= caps.LIMIT_BLOCKS:
                self.exceeded = (caps.TOO_COMPLEX,)
                return
            if isinstance(kid, str):
                if run or not kid.isspace():
                    run.append(kid)
                continue
            if not (kid.blocky if kid.blocky is not None else holds_blocks(kid)):
                run.append(kid)
                continue
            if run:
                self._paragraph(run, element)
                run = []
            if kid.tag == "p" and not kid.classes and not kid.raw.attrs:
                self._paragraph(kid.kids, kid)
            else:
                self._block(kid)
        if run:
            self._paragraph(run, element)

    def _block(self, element: Element) -> None:
        tag, classes = element.tag, element.classes
        if tag in drawn.LEVELS or element.get("role") == "heading" or (classes and drawn.is_title(element)):
            self._heading(element)
        elif tag == "pre" or (classes and preformatted.is_code(element)):
            self._code(element)
        elif classes and (kind := admonitions.kind(element)) is not None:
            self._admonition(element, kind)
        elif tag in _OWN:
            _OWN[tag](self, element)
        elif classes and "summary-table" in classes and tables.is_grid(element):
            self._table(element)
        elif (panels := tabs.panels(element)) is not None:
            self._tabs(panels)
        elif classes and signatures.is_prototype(element):
            self._emit("term", signatures.prototype(element), element)
        elif (tag == "math" or classes or tag in ("mjx-container", "script")) and mathematics.displays(element):
            self._math(element)
        elif tag == "p" or (tag in BLOCKS and not any(k.__class__ is Element and holds_blocks(k) for k in element.kids)):
            self._paragraph(element.kids, element)
        elif tag != "hr":
            self._flow(element)

    def _emit(
        self, kind: str, pieces: list[Piece], element: Element, *, language: str = "", margin: bool = False, tight: bool = False
    ) -> None:
        self.ink.block(
            kind,  # type: ignore[arg-type]
            pieces,
            margin=margin,
            tight=tight,
            anchor=self.ids.anchor(element, self.ink.outline),
            dom_path=path(element.raw),
            language=language,
        )

    def _paragraph(self, nodes: Sequence[Element | str], element: Element) -> None:
        pieces = self.inline.pieces(nodes)
        shown = any(shows and not text.isspace() for text, shows in pieces)
        if not shown and not any("![" in text for text, _ in pieces):
            return
        near = element
        if element.tag != "p":
            first = next((n for n in nodes if n.__class__ is Element), None)
            near = first if first is not None and first.name else element
        standing = self.ink.containers[-1] if self.ink.containers else None
        kind = "paragraph"
        if not shown:
            kind = "figure"
        elif standing is not None and not standing.used and not standing.quote and standing.first.lstrip()[:1] != ":":
            kind = "list_item"
        elif standing is not None and standing.quote:
            kind = "quote"
        self._emit(kind, pieces, near)

    def _heading(self, element: Element) -> None:
        level = drawn.level(element)
        pieces = (
            signatures.prototype(element) if element.has("code-header", "func-head") else self.inline.pieces(element.kids, heading=True)
        )
        title = " ".join("".join(text for text, shows in pieces if shows).split())
        if not title:
            return
        anchor = self.ids.of_heading(element)
        self.ink.outline.heading(self.ink.position(margin=True), level, title, anchor)
        self._emit("heading", [("#" * level + " ", False), *pieces], element, margin=True)

    def _code(self, element: Element) -> None:
        text = preformatted.text(element)
        if not text.strip():
            return
        mark = "```"
        while mark in text:
            mark += "`"
        language = preformatted.language(element)
        self._alone()
        self._emit("code", [(f"{mark}{language}\n", False), (text, True), (f"\n{mark}", False)], element, language=language)

    def _alone(self) -> None:
        """Put a definition's mark on a line of its own, since a fence behind it would be none for most readers of Markdown."""
        standing = self.ink.containers
        if standing and not standing[-1].used and standing[-1].first == _DEFINED:
            standing[-1].first = ":\n" + "".join([c.rest for c in standing])

    def _list(self, element: Element) -> None:
        number = int(element.get("start")) if element.get("start").isdigit() else 1
        tight, first = not any(item.__class__ is Element and drawn.is_loose(item) for item in element.kids), True
        loose: list[Element | str] = []
        for item in element.kids:
            if isinstance(item, str) or (item.tag != "li" and not holds_blocks(item)):
                loose.append(item)
                continue
            self._loose(loose, element)
            if item.tag != "li":
                self._block(item)
                continue
            if drawn.opens_with_heading(item):
                self._flow(item)
                continue
            mark = f"{number}. " if element.tag == "ol" else "- "
            container, first = Container(mark, " " * len(mark), tight=tight and not first), False
            self.ink.containers.append(container)
            self._flow(item)
            self.ink.containers.pop()
            number += container.used
        self._loose(loose, element)

    def _loose(self, nodes: list[Element | str], element: Element) -> None:
        """Write what stands in a list beside its items as a paragraph, and forget it."""
        if nodes:
            self._paragraph(nodes, element)
            nodes.clear()

    def _definitions(self, element: Element) -> None:
        open_terms: list[int] = []
        loose: list[Element | str] = []
        for kid in signatures.entries(element):
            if isinstance(kid, str) or (kid.tag not in ("dt", "dd") and not holds_blocks(kid)):
                loose.append(kid)
                continue
            self._loose(loose, element)
            if kid.tag == "dt":
                if open_terms and not signatures.follows_term(kid):
                    self._close(open_terms)
                self._term(kid, open_terms)
            elif kid.tag == "dd":
                self._description(kid)
            else:
                self._block(kid)
        self._loose(loose, element)
        self._close(open_terms)

    def _close(self, open_terms: list[int]) -> None:
        for index in reversed(open_terms):
            self.ink.outline.close(self.ink.length, index)
        open_terms.clear()

    def _term(self, element: Element, open_terms: list[int]) -> None:
        blocks = [k.tag for k in element.walk() if k.tag in drawn.LEVELS or k.tag in ("pre", "table", "dl")]
        drawn_as_code = signatures.is_code_term(element, blocks)
        if blocks and not drawn_as_code:
            self._flow(element)
            return
        term = signatures.term(element, self.inline)
        if not term.title:
            return
        anchor = self.ids.own(element)
        tight = bool(open_terms)
        if not open_terms:
            at = self.ink.position()
            open_terms.append(self.ink.outline.term(at, term.title, anchor, symbol=term.symbol, signature=term.signature))
        if drawn_as_code:
            self._flow(element)
        else:
            self._emit("term", term.pieces, element, tight=tight)

    def _description(self, element: Element) -> None:
        self.ink.containers.append(Container(_DEFINED, "    ", tight=True))
        self._flow(element)
        self.ink.containers.pop()

    def _quote(self, element: Element) -> None:
        self.ink.containers.append(Container("> ", "> ", quote=True))
        self._flow(element)
        self.ink.containers.pop()

    def _admonition(self, element: Element, kind: str) -> None:
        title, body = admonitions.parts(element)
        container = Container(f"> [!{kind}]\n" + "".join(c.rest for c in self.ink.containers) + "> ", "> ", quote=True)
        self.ink.containers.append(container)
        pieces = self.inline.pieces(title.kids) if title is not None else []
        if any(shows and text.strip() for text, shows in pieces):
            if title is not None and title.tag in drawn.LEVELS:
                pieces = [("#" * drawn.LEVELS[title.tag] + " ", False), *pieces]
            else:
                container.first = f"> [!{kind}] "
            self._emit("quote", pieces, title or element)
        icon = admonitions.icon_of(body)
        self._flow(drawn.part(element, [kid for kid in body if kid is not icon]))
        self.ink.containers.pop()

    def _tabs(self, panels: list[tabs.Panel]) -> None:
        for panel in panels:
            if panel.label:
                self._emit("paragraph", [("**", False), (panel.label, True), ("**", False)], panel.content)
            if panel.content.tag == "pre":
                self._code(panel.content)
            else:
                self._flow(panel.content)

    def _table(self, element: Element) -> None:
        caption = next((k for k in element.elements() if k.tag == "caption"), None)
        if caption is not None:
            self._paragraph(caption.kids, caption)
        if element.has("memberdecls"):
            self._members(element)
            return
        if tables.is_layout(element):
            for row in tables.rows(element):
                for cell in row:
                    self._flow(cell)
            return
        pieces = tables.pieces(element, self.inline)
        if pieces is not None:
            self._emit("table", pieces, element)
        for code in tables.codes(element):
            self._code(code)

    def _members(self, table: Element) -> None:
        """Write Doxygen's table of members: each row is a line, type and name together."""
        for row in tables.rows(table):
            if any(holds_blocks(kid) for cell in row for kid in cell.elements()):
                for cell in row:
                    self._flow(cell)
            elif row:
                self._paragraph([node for cell in row if cell.words() for node in (*cell.kids, " ")], row[0])

    def _details(self, element: Element) -> None:
        for kid in element.kids:
            if isinstance(kid, Element) and kid.tag == "summary":
                if any(holds_blocks(k) for k in kid.elements()):
                    self._flow(kid)
                else:
                    pieces = self.inline.pieces(kid.kids)
                    if any(shows and text.strip() for text, shows in pieces):
                        self._emit("paragraph", [("**", False), *pieces, ("**", False)], kid)
        self._flow(drawn.part(element, [k for k in element.kids if isinstance(k, str) or k.tag != "summary"]))

    def _math(self, element: Element) -> None:
        tex = (mathematics.tex(element) or "").strip()
        if tex:
            self._emit("math", [("$$\n", False), (tex, True), ("\n$$", False)], element)


_OWN: dict[str, Callable[[Writer, Element], None]] = {
    "ul": Writer._list,
    "ol": Writer._list,
    "menu": Writer._list,
    "dir": Writer._list,
    "dl": Writer._definitions,
    "table": Writer._table,
    "blockquote": Writer._quote,
    "details": Writer._details,
    "figure": Writer._flow,
}
"""Tags that are written in a way of their own."""


def holds_blocks(element: Element) -> bool:
    """Say whether an element must be written as a block: it is one, or there is one in it."""
    if element.blocky is None:
        if element.tag in BLOCKS:
            element.blocky = True
        elif element.tag in ("mjx-container", "math", "script"):
            element.blocky = mathematics.displayed(element)
        else:
            element.blocky = False
            for kid in element.kids:
                if kid.__class__ is Element and holds_blocks(kid):
                    element.blocky = True
                    break
    return element.blocky
