"""Python files by their syntax tree: module, classes, functions and methods with decorators, and module-level code.

In: cleaned text. Out: an `Outline` whose symbol sections carry signature and doc comment; None where the text is no Python of this version.
"""

from __future__ import annotations

import ast
import re
import warnings
from dataclasses import dataclass

from pincite.extract import plain
from pincite.extract.outline import Outline

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_LINE = re.compile(r"\r\n|\n|\r")


def read(text: str) -> Outline | None:
    """Find the symbols of a Python text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    outline = Outline()
    outline.document((), ast.get_docstring(tree))
    starts = [0, *(m.end() for m in _LINE.finditer(text)), len(text)]
    _Walk(text, starts, outline).body(tree.body, 0, len(text), ())
    return outline


@dataclass(slots=True)
class _Walk:
    text: str
    starts: list[int]
    outline: Outline

    def body(self, statements: list[ast.stmt], start: int, end: int, scope: tuple[str, ...]) -> None:
        """Add what lies in `[start, end)`: definitions as symbols, the code between them as blocks."""
        at = start
        for node in statements:
            if isinstance(node, _Definition):
                first = self._first(node, at)
                plain.add_runs(self.outline, self.text, at, first, "code", "python")
                at = self._symbol(node, first, scope)
            elif isinstance(node, ast.If | ast.Try) and any(isinstance(n, _Definition) for n in ast.walk(node)):
                at = self._branches(node, at, scope)
        plain.add_runs(self.outline, self.text, at, end, "code", "python")

    def _branches(self, node: ast.If | ast.Try, at: int, scope: tuple[str, ...]) -> int:
        handlers = node.handlers if isinstance(node, ast.Try) else []
        final = node.finalbody if isinstance(node, ast.Try) else []
        for body in (node.body, *(h.body for h in handlers), node.orelse, final):
            if body:
                end = self.starts[min(body[-1].end_lineno or 1, len(self.starts) - 1)]
                self.body(body, at, end, scope)
                at = max(at, end)
        return at

    def _first(self, node: _Definition, floor: int) -> int:
        line = min([node.lineno, *(d.lineno for d in node.decorator_list)])
        while line > 1 and self.text[self.starts[line - 2] : self.starts[line - 1]].lstrip().startswith("#"):
            line -= 1
        return max(self.starts[line - 1], floor)

    def _symbol(self, node: _Definition, first: int, scope: tuple[str, ...]) -> int:
        end = max(self.starts[min(node.end_lineno or node.lineno, len(self.starts) - 1)], first)
        inner = (*scope, node.name)
        doc = ast.get_docstring(node)
        index = self.outline.symbol(first, node.name, symbol=".".join(inner), signature=_signature(node), doc=doc)
        if isinstance(node, ast.ClassDef):
            self.body(node.body, first, end, inner)
        else:
            span = plain.trimmed(self.text, first, end)
            if span is not None:
                self.outline.block("code", span, language="python")
        self.outline.close(end, index)
        return end


def _signature(node: _Definition) -> str:
    if isinstance(node, ast.ClassDef):
        bases = ", ".join([*map(ast.unparse, node.bases), *(f"{k.arg}={ast.unparse(k.value)}" if k.arg else "" for k in node.keywords)])
        return f"class {node.name}({bases})" if bases else f"class {node.name}"
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{word} {node.name}({ast.unparse(node.args)}){returns}"
