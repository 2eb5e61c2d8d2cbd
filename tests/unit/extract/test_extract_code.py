"""In: source code that we wrote. Out: its symbols and blocks."""

from __future__ import annotations

from pincite.extract import code, python_code
from pincite.types import Section, Span

SOURCE = '''"""What it is for."""

import os

LIMIT = 3

# Says hello.
@decorated
def hello(name: str = "you") -> str:
    """Greet."""

    return name


class Box(dict):
    """Holds things."""

    size = 1

    @property
    def full(self) -> bool:
        return False

    def put(self, *things):
        def inner():
            pass


if os.name == "nt":
    def only_there(): ...
else:
    def only_here(): ...

tail = hello()
'''


def read() -> tuple[tuple[Section, ...], list[str]]:
    outline = python_code.read(SOURCE)
    assert outline is not None
    sections, blocks = outline.finish(len(SOURCE))
    return sections, [b.span.of(SOURCE) for b in blocks]


def test_python_symbols_carry_signature_and_doc() -> None:
    sections, _ = read()
    assert sections[0].doc == "What it is for."
    assert [(s.symbol, s.signature, s.doc) for s in sections[1:]] == [
        ("hello", "def hello(name: str='you') -> str", "Greet."),
        ("Box", "class Box(dict)", "Holds things."),
        ("Box.full", "def full(self) -> bool", None),
        ("Box.put", "def put(self, *things)", None),
        ("only_there", "def only_there()", None),
        ("only_here", "def only_here()", None),
    ]


def test_symbol_spans_begin_with_their_decorators_and_comments() -> None:
    sections, _ = read()
    spans = {s.symbol: s.span.of(SOURCE) for s in sections}
    assert spans["hello"].startswith("# Says hello.\n@decorated\ndef hello")
    assert spans["hello"].endswith("return name\n")
    assert spans["Box.full"].startswith("    @property\n")
    assert spans["Box"].endswith("            pass\n")


def test_module_level_code_is_kept_in_order() -> None:
    _, blocks = read()
    assert blocks[0] == '"""What it is for."""'
    assert "LIMIT = 3" in blocks
    assert blocks[-1] == "tail = hello()"
    at = 0
    for block in blocks:
        assert not SOURCE[at : SOURCE.index(block, at)].strip()
        at = SOURCE.index(block, at) + len(block)
    assert not SOURCE[at:].strip()


def test_python_that_does_not_parse_is_left_to_other_rules() -> None:
    assert python_code.read("def broken(:\n") is None


def test_other_code_is_cut_where_top_level_braces_close() -> None:
    text = "int f() {\n  a();\n\n  b();\n}\n\nint g() { }\n"
    _, blocks = code.read(text, "c").finish(len(text))
    assert [b.span.of(text) for b in blocks] == ["int f() {\n  a();\n\n  b();\n}", "int g() { }"]
    assert blocks[0].span == Span(0, 26)
