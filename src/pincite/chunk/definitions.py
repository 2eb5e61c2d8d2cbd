"""Which names a stretch of text defines.

In: the sections that a chunk holds, or program text of a language that was not parsed. Out: names, short and qualified. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from pincite.types import Section

_KEYWORD = re.compile(
    r"^[ \t]*(?:(?:pub(?:\([^)]*\))?|export|default|public|private|protected|internal|static|final|abstract|sealed|async|unsafe"
    r"|inline|virtual|constexpr|extern|open|override|data|partial)\s+)*"
    r"(?:class|struct|enum|union|trait|interface|fn|def|func|fun|function\*?|type|typedef|namespace|module|mod|macro_rules!"
    r"|record|protocol|object|impl)"
    r"(?:\s*<[^>\n]*>)?\s+(?:\([^)]*\)\s*)?([A-Za-z_$][\w$]*)",
    re.M,
)
_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
_METHOD = re.compile(
    r"^[ \t]*(?:[\w:<>,*&\[\]?~ ]+[ \t*&]+)?((?:\w+::)*~?\w+)[ \t]*\([^;{}()]*(?:\([^()]*\)[^;{}()]*)*\)[^;{}=\n]*(?:\n[ \t]*)?\{",
    re.M,
)
_ONE_WORD = re.compile(r"[\w.:<>\[\]=$@/-]{2,80}")
_SEPARATOR = re.compile(r"\.|::|#(?=\w)")
_NOT_A_NAME = frozenset(
    {"if", "for", "while", "switch", "catch", "return", "sizeof", "new", "delete", "else", "do", "try", "match", "loop"}
    | {"synchronized", "using", "with", "when", "until", "foreach"}
)


def in_sections(sections: Iterable[Section]) -> tuple[str, ...]:
    """Return the names that symbols and terms define, short and qualified; a term of several words names nothing."""
    names: list[str] = []
    for section in sections:
        own = section.symbol or (section.title if section.kind == "symbol" or _ONE_WORD.fullmatch(section.title) else "")
        if own and section.kind in ("symbol", "term"):
            names += [own, _SEPARATOR.split(own)[-1]]
            qualified = section.anchor or ""
            if qualified.endswith(own) and qualified != own:
                names += [qualified, ".".join(qualified.split(".")[-2:])]
    return tuple(dict.fromkeys(n for n in names if n))


def in_code(text: str) -> tuple[str, ...]:
    """Return the names that unparsed program text seems to define, by the keywords that most languages share."""
    names = [m.group(1) for m in _KEYWORD.finditer(text)] + [m.group(1) for m in _MACRO.finditer(text)]
    for match in _METHOD.finditer(text):
        name = match.group(1)
        if name.rsplit("::", 1)[-1] not in _NOT_A_NAME:
            names += [name.rsplit("::", 1)[-1], name]
    return tuple(dict.fromkeys(names))
