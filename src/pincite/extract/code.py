"""Source code of a language that nothing here parses: cut at blank lines and at the braces of the top level.

In: cleaned text, the language's name. Out: an `Outline` with code blocks.
"""

from __future__ import annotations

from pincite.extract import plain
from pincite.extract.outline import Outline
from pincite.types import Span

LANGUAGES = {
    "py": "python", "pyi": "python", "pyw": "python", "js": "javascript", "mjs": "javascript", "cjs": "javascript", "jsx": "javascript",
    "ts": "typescript", "mts": "typescript", "cts": "typescript", "tsx": "tsx", "go": "go", "rs": "rust", "java": "java", "c": "c",
    "h": "c", "cc": "cpp", "cpp": "cpp", "cxx": "cpp", "hpp": "cpp", "hh": "cpp", "hxx": "cpp", "cs": "csharp", "rb": "ruby",
    "php": "php", "kt": "kotlin", "kts": "kotlin", "swift": "swift", "sh": "bash", "bash": "bash", "zsh": "bash", "scala": "scala",
    "lua": "lua", "pl": "perl", "pm": "perl", "r": "r", "jl": "julia", "hs": "haskell", "ml": "ocaml", "ex": "elixir", "exs": "elixir",
    "erl": "erlang", "clj": "clojure", "dart": "dart", "m": "objective-c", "mm": "objective-c", "sql": "sql", "ps1": "powershell",
    "yaml": "yaml", "yml": "yaml", "toml": "toml", "json": "json", "ini": "ini", "cfg": "ini", "css": "css", "scss": "scss",
    "vue": "vue", "svelte": "svelte", "proto": "protobuf", "graphql": "graphql", "tf": "hcl", "cmake": "cmake", "mk": "make",
    "gradle": "groovy", "groovy": "groovy", "nix": "nix", "zig": "zig", "v": "verilog", "vhd": "vhdl", "asm": "asm", "s": "asm",
    "f90": "fortran", "vb": "vb", "fs": "fsharp", "el": "elisp", "lisp": "lisp", "scm": "scheme", "tcl": "tcl", "awk": "awk",
}  # fmt: skip
"""Path endings and the programming language that they mean."""
NAMES = {
    "makefile": "make",
    "gnumakefile": "make",
    "dockerfile": "dockerfile",
    "cmakelists.txt": "cmake",
    "rakefile": "ruby",
    "gemfile": "ruby",
}


def language_of(name: str) -> str:
    """Return the programming language that a file's name means, or an empty string."""
    base = name.rpartition("/")[2].lower()
    return NAMES.get(base) or (LANGUAGES.get(base.rpartition(".")[2], "") if "." in base else "")


def read(text: str, language: str) -> Outline:
    """Cut a source text into code blocks."""
    outline = Outline()
    for span in _pieces(text):
        outline.block("code", span, language=language)
    return outline


def _pieces(text: str) -> list[Span]:
    """Join runs of lines until the braces that they open are closed again (at most 60 lines)."""
    pieces: list[Span] = []
    depth = 0
    for run in plain.runs(text, 0, len(text)):
        words = run.of(text)
        joins = depth > 0 and pieces and text.count("\n", pieces[-1].start, run.end) < 60
        depth = max(0, (depth if joins else 0) + words.count("{") - words.count("}"))
        if joins:
            pieces[-1] = Span(pieces[-1].start, run.end)
        else:
            pieces.append(run)
    return pieces
