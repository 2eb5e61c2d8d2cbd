"""Source code of thirteen languages by tree-sitter: symbols with signatures, doc comments and enclosing scopes.

In: cleaned text, the language's name. Out: an `Outline`, or None where no grammar is installed or the text is no code of that language.
The grammars are wheels of the extra `code`; nothing is fetched at run time.
"""

from __future__ import annotations

import importlib
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from pincite.extract import plain
from pincite.extract.outline import Outline
from pincite.types import Span

_GRAMMARS = {
    "javascript": ("tree_sitter_javascript", "language"), "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"), "go": ("tree_sitter_go", "language"), "rust": ("tree_sitter_rust", "language"),
    "java": ("tree_sitter_java", "language"), "c": ("tree_sitter_c", "language"), "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"), "ruby": ("tree_sitter_ruby", "language"), "php": ("tree_sitter_php", "language_php"),
    "kotlin": ("tree_sitter_kotlin", "language"), "swift": ("tree_sitter_swift", "language"), "bash": ("tree_sitter_bash", "language"),
}  # fmt: skip
_SCOPES_TYPES = """
class_declaration abstract_class_declaration interface_declaration enum_declaration record_declaration
struct_declaration object_declaration protocol_declaration trait_declaration annotation_type_declaration internal_module
module namespace_declaration namespace_definition class_specifier struct_specifier enum_specifier union_specifier class
struct_item enum_item trait_item impl_item mod_item union_item extension_declaration
"""
_LEAVES_TYPES = """
function_declaration generator_function_declaration method_definition method_declaration constructor_declaration
function_definition function_item macro_definition method singleton_method init_declaration deinit_declaration
type_alias_declaration property_declaration type_item type_definition function_signature_item abstract_method_signature
delegate_declaration secondary_constructor
"""
_WRAPPERS_TYPES = """
export_statement template_declaration declaration_list class_body interface_body enum_body body_statement
enum_class_body protocol_body statement_block preproc_ifdef preproc_if preproc_else linkage_specification
field_declaration_list compound_statement ambient_declaration expression_statement lexical_declaration
variable_declaration type_declaration program enum_body_declarations
"""
_LEADING_TYPES = """
comment line_comment block_comment attribute_item decorator annotation attribute_list multiline_comment
"""
_SCOPES = frozenset(_SCOPES_TYPES.split())
_LEAVES = frozenset(_LEAVES_TYPES.split())
_WRAPPERS = frozenset(_WRAPPERS_TYPES.split())
_LEADING = frozenset(_LEADING_TYPES.split())
_MARKS = re.compile(r"^\s*(?:///?!?|/\*\*?!?|\*/|\*(?!/)|#+!?|--)[ \t]?|\s*\*/\s*$", re.M)


def read(text: str, language: str) -> Outline | None:
    """Find the symbols of a source text."""
    parser = _parser(language)
    if parser is None:
        return None
    data = text.encode("utf-8", "replace")
    root = parser.parse(data).root_node
    outline = Outline()
    lines = data.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line.decode("utf-8", "replace")) + 1)
    walk = _Walk(text, lines, starts, outline, language)
    walk.body(root, 0, len(text), ())
    return outline if len(outline.sections) > 1 else None


@cache
def _parser(language: str) -> Any:
    if language not in _GRAMMARS:
        return None
    module, function = _GRAMMARS[language]
    try:
        sitter = importlib.import_module("tree_sitter")
        grammar = importlib.import_module(module)
    except ImportError:
        return None
    return sitter.Parser(sitter.Language(getattr(grammar, function)()))


@dataclass(slots=True)
class _Walk:
    text: str
    lines: list[bytes]
    starts: list[int]
    outline: Outline
    language: str

    def body(self, node: Any, start: int, end: int, scope: tuple[str, ...]) -> None:
        """Add what lies in `[start, end)`: symbols, and the code between them as blocks."""
        at = start
        for outer, inner in self._definitions(node):
            name = _name(inner)
            first = max(at, self._first(outer))
            last = max(first, min(end, self._offset(outer.end_point)))
            if not name:
                continue
            plain.add_runs(self.outline, self.text, at, first, "code", self.language)
            self._symbol(outer, inner, name, Span(first, last), scope)
            at = last
        plain.add_runs(self.outline, self.text, at, end, "code", self.language)

    def _definitions(self, node: Any) -> list[tuple[Any, Any]]:
        """Return the definitions directly in a node, each with what is set around it (an `export`, a template)."""
        found: list[tuple[Any, Any]] = []
        for child in node.named_children:
            kind = child.type
            if kind in _SCOPES or kind in _LEAVES or _is_arrow(child):
                if kind.endswith("_specifier") and child.child_by_field_name("body") is None:
                    continue
                found.append((child, child))
            elif kind in _WRAPPERS:
                below = self._definitions(child)
                alone = kind in ("export_statement", "template_declaration", "lexical_declaration", "type_declaration") and len(below) == 1
                found += [(child, below[0][1])] if alone else below
            elif kind == "type_spec":
                found.append((child, child))
            elif kind in ("declaration", "type_definition"):
                found += [(child, inner) for _, inner in self._definitions(child)][:1]
        return found

    def _symbol(self, outer: Any, node: Any, name: str, span: Span, scope: tuple[str, ...]) -> None:
        inner = (*scope, *_receiver(node), name)
        index = self.outline.symbol(span.start, name, symbol=".".join(inner), signature=self._signature(node), doc=self._doc(outer))
        body = node.child_by_field_name("body") or next((c for c in node.named_children if c.type in _WRAPPERS), None)
        if node.type in _SCOPES and body is not None:
            self.body(body, span.start, span.end, inner)
        else:
            trimmed = plain.trimmed(self.text, span.start, span.end)
            if trimmed is not None:
                self.outline.block("code", trimmed, language=self.language)
        self.outline.close(span.end, index)

    def _first(self, node: Any) -> int:
        """Return where a definition begins, with the comments and attributes that stand directly above it."""
        row = node.start_point[0]
        above = node.prev_sibling
        while above is not None and above.type in _LEADING and row - above.end_point[0] <= 1:
            row = above.start_point[0]
            above = above.prev_sibling
        start = int(self.starts[row])
        own = self._offset(node.start_point)
        return start if row != node.start_point[0] or not self.text[start:own].strip() else own

    def _signature(self, node: Any) -> str:
        body = node.child_by_field_name("body")
        end = self._offset(body.start_point) if body is not None else self._offset(node.end_point)
        words = " ".join(self.text[self._offset(node.start_point) : end].split()).rstrip("{ ")
        return words if len(words) <= 400 else words[:399] + "…"

    def _doc(self, node: Any) -> str | None:
        """Return the comment directly above a definition, without its marks."""
        words: list[str] = []
        row, above = node.start_point[0], node.prev_sibling
        while above is not None and above.type in _LEADING and row - above.end_point[0] <= 1:
            if "comment" in above.type and not above.text.startswith(b"#!"):
                words.insert(0, _MARKS.sub("", above.text.decode("utf-8", "replace")).strip())
            row, above = above.start_point[0], above.prev_sibling
        return "\n".join(words).strip() or None

    def _offset(self, point: Any) -> int:
        row, column = point[0], point[1]
        return int(min(self.starts[row] + len(self.lines[row][:column].decode("utf-8", "replace")), len(self.text)))


def _is_arrow(node: Any) -> bool:
    if node.type != "variable_declarator":
        return False
    value = node.child_by_field_name("value")
    return value is not None and value.type in ("arrow_function", "function_expression", "class")


def _receiver(node: Any) -> tuple[str, ...]:
    """Return the type that a Go method belongs to."""
    found = node.child_by_field_name("receiver")
    names = re.findall(rb"[A-Za-z_]\w*", found.text) if found is not None else []
    return (names[1 if len(names) > 1 else 0].decode(),) if names else ()


def _name(node: Any) -> str:
    """Return what a definition is called; a C declarator is followed down to its name."""
    for field in ("name", "declarator", "type"):
        found = node.child_by_field_name(field)
        for _ in range(8):
            below = found.child_by_field_name("declarator") if found is not None and field == "declarator" else None
            if below is None:
                break
            found = below
        if found is not None:
            return re.sub(r"\s+|^[*&]+", "", found.text.decode("utf-8", "replace"))[:120]
    named = next((c for c in node.named_children if c.type.endswith("identifier")), None)
    fixed = {"init_declaration": "init", "deinit_declaration": "deinit"}
    return named.text.decode("utf-8", "replace") if named is not None else fixed.get(node.type, "")
