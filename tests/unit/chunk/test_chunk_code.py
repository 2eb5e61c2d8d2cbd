"""Program text is cut at symbols; where no parser found any, at blank lines and indentation."""

import ast

import pytest

from pincite.chunk.chunker import StructureChunker
from pincite.chunk.definitions import in_code
from pincite.chunk.sizes import estimate
from pincite.types import Block, Document, Section, Span

BODY = "".join(f"        self.value_{n} = compute(self.value_{n - 1}, factor={n})\n" for n in range(1, 16))
SOURCE = f'''"""Keeps the till."""

import os


class Till:
    """A till with drawers."""

    size = 4

    # Counts what is in the drawers.
    def count(self):
{BODY}
    @property
    def full(self):
{BODY}

def open_till(path):
    return Till(os.fspath(path))
'''


def parsed(source: str) -> Document:
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    sections = [Section(0, 0, (), Span(0, len(source)), kind="root")]

    def walk(node: ast.AST, parent: int, names: tuple[str, ...]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
                span = Span(starts[first - 1], starts[child.end_lineno or first])
                path = (*names, child.name)
                sections.append(Section(len(sections), len(path), path, span, parent=parent, kind="symbol", symbol=".".join(path)))
                walk(child, len(sections) - 1, path)

    walk(ast.parse(source), 0, ())
    return unparsed(source, tuple(sections), "python")


def unparsed(source: str, sections: tuple[Section, ...] | None = None, language: str = "rust") -> Document:
    root = (Section(0, 0, (), Span(0, len(source)), kind="root"),)
    block = Block("b0", "code", Span(0, len(source)), 0)
    return Document("doc_c", "sha256:0", "till", "code", "", source, sections or root, (block,), "test@1", code_language=language)


def test_methods_are_whole_with_decorator_and_comment():
    document = parsed(SOURCE)
    chunks = {c.symbol: c.span.of(document.text) for c in StructureChunker().chunk(document)}
    assert chunks["Till.count"].startswith("    # Counts what is in the drawers.\n    def count")
    assert chunks["Till.count"].rstrip().endswith("factor=15)")
    assert chunks["Till.full"].startswith("    @property\n    def full")


def test_module_level_code_and_class_head_are_kept():
    document = parsed(SOURCE)
    whole = "".join("".join(c.span.of(document.text).split()) for c in StructureChunker().chunk(document))
    assert whole == "".join(SOURCE.split())


def test_a_chunk_says_which_names_it_defines():
    chunks = StructureChunker().chunk(parsed(SOURCE))
    assert {"count", "Till.count"} <= {name for c in chunks for name in c.defines}
    assert any("Till" in c.defines for c in chunks)


def test_a_small_class_is_one_chunk():
    chunks = StructureChunker().chunk(parsed("class Point:\n    def x(self):\n        return 1\n\n    def y(self):\n        return 2\n"))
    assert len(chunks) == 1
    assert {"Point", "x", "Point.y"} <= set(chunks[0].defines)


def test_lines_are_those_of_the_file():
    document = parsed(SOURCE)
    for chunk in StructureChunker().chunk(document):
        assert chunk.line == document.text.count("\n", 0, chunk.span.start) + 1


def test_a_huge_function_is_cut_at_blank_lines():
    source = "def long():\n" + "\n".join("".join(f"    call_{n}_{k}(argument, other)\n" for k in range(8)) for n in range(30))
    document = parsed(source)
    chunks = StructureChunker().chunk(document)
    assert len(chunks) > 2
    assert all(estimate(c.span.of(source)) <= 512 for c in chunks)
    assert all(source[c.span.end :].startswith("\n\n") or c is chunks[-1] for c in chunks)


def test_an_unparsed_language_is_cut_before_unindented_code():
    part = "fn part_{n}() {{\n    let a = {n};\n\n    work(a, a + 1, a + 2, a + 3);\n    more(a, a * 1, a * 2, a * 3);\n}}\n"
    source = "\n".join(part.format(n=n) for n in range(40))
    chunks = StructureChunker().chunk(unparsed(source))
    assert len(chunks) > 2
    assert all(c.span.of(source).startswith("fn part_") and c.span.of(source).endswith("}") for c in chunks)
    assert "part_0" in chunks[0].defines


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("pub struct Ring<T> {\n}", "Ring"),
        ("impl<T: Clone> Queue<T> {", "Queue"),
        ("public static final class Builder {", "Builder"),
        ("export default function render(a) {", "render"),
        ("func (s *Server) Serve(l net.Listener) error {", "Serve"),
        ("#define RING_SIZE 64", "RING_SIZE"),
        ("void Client::Execute(const Query& query) {\n", "Client::Execute"),
        ("  public String greet(String name) throws IOException {\n", "greet"),
        ("trait Observer {", "Observer"),
        ("    async def fetch(self, url):", "fetch"),
    ],
)
def test_definitions_are_seen_without_a_parser(source, name):
    assert name in in_code(source)


@pytest.mark.parametrize("source", ["if (ready(x)) {", "while (next(y)) {", "return call(z);", "switch (a) {"])
def test_statements_define_nothing(source):
    assert in_code(source) == ()
