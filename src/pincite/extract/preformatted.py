"""Code blocks: the lines as they were written, without line numbers and buttons, and the language that the page names.

In: a `pre` or what stands for one. Out: text and language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pincite.extract.dom import Element

_NUMBERS = frozenset(
    [
        "linenos",
        "lineno",
        "linenodiv",
        "line-number",
        "line-numbers",
        "line-numbers-rows",
        "line-numbers-wrapper",
        "line-numbers-sizer",
        "linenumber",
        "linenumbers",
        "gutter",
        "ln",
        "lnt",
        "lnum",
        "hljs-ln-numbers",
        "hljs-ln-n",
        "rouge-gutter",
        "src-line-numbers",
        "react-syntax-highlighter-line-number",
        "codelineno",
        "blob-num",
        "code-line-number",
        "ttc",
    ]
)
_JUNK = frozenset(
    [
        "copy",
        "copybtn",
        "copy-button",
        "copy-code-button",
        "clipboard-button",
        "headerlink",
        "fold-button",
        "code-toolbar-button",
        "toolbar",
        "sr-only",
        "visually-hidden",
        "md-clipboard",
        "md-code__nav",
        "test-arrow",
        "example-wrap-buttons",
        "boring-toggle",
        "buttons",
    ]
)
_TABLES = frozenset(("highlighttable", "rouge-table", "lntable", "hljs-ln", "sourcetable", "codehilitetable", "linenumbers"))
_APART = _NUMBERS | _JUNK
_UNSEEN = frozenset(("button", "script", "style", "svg"))
_LINES = frozenset(("line", "token-line", "code-line", "cl", "view-line", "ec-line", "highlight-line", "cm-line"))
_BLOCKS = frozenset(("div", "p", "li", "tr", "section"))
_WIDE = frozenset(("body", "main", "article", "section", "ul", "ol", "dl", "dd", "blockquote"))
SPECIAL = ", ".join(
    [
        *sorted(_UNSEEN | _BLOCKS | {"br", "select", "input", "textarea", "iframe", "noscript", "template", "math", "table"}),
        *("[id]", "[data-line]", "[style]", "[hidden]", "[role]"),
        *(f".{name}" for name in sorted(_APART | _LINES)),
    ]
)
"""What in a block of code is more than its text."""
_NAMED = re.compile(
    r"^(?:language|lang|highlight-source|mw-highlight-lang|highlight|brush:|sourceCode|src|code|prettyprint lang)[-_ ]([\w+#.-]+)$", re.I
)
_BARE = frozenset(
    [
        "python",
        "python3",
        "pycon",
        "console",
        "bash",
        "sh",
        "shell",
        "javascript",
        "js",
        "typescript",
        "ts",
        "java",
        "rust",
        "go",
        "c",
        "cpp",
        "cxx",
        "csharp",
        "json",
        "yaml",
        "toml",
        "html",
        "xml",
        "css",
        "sql",
        "ruby",
        "php",
        "kotlin",
        "swift",
        "perl",
        "lua",
        "r",
        "scala",
        "haskell",
        "erlang",
        "elixir",
        "diff",
        "ini",
        "make",
        "cmake",
        "dockerfile",
        "text",
        "plaintext",
    ]
)
_MARKERS = frozenset(
    ("sourcecode", "highlight", "hljs", "chroma", "prettyprint", "codehilite", "programlisting", "code", "src", "prism-code", "syntax")
)
_NOT = frozenset(
    [
        "default",
        "none",
        "notranslate",
        "text-only",
        "block",
        "inline",
        "wrapper",
        "container",
        "group",
        "toolbar",
        "tabs",
        "tab",
        "example",
        "area",
        "frame",
        "body",
        "box",
    ]
)


def is_code(element: Element) -> bool:
    """Say whether the element is a code block drawn without a plain `pre`: a table with line numbers, Doxygen's fragment."""
    if not element.classes:
        return False
    if element.tag == "table":
        return not _TABLES.isdisjoint(element.classes)
    return element.tag == "div" and element.has("fragment", "view-lines")


def text(element: Element) -> str:
    """Return the code, line ends as `\\n`, without empty lines at its start and end."""
    if element.tag == "table" and (cell := _code_cell(element)) is not None:
        element = cell
    parts: list[str] = []
    while len(element.kids) == 1 and element.kids[0].__class__ is Element and element.kids[0].tag == "code":
        element = element.kids[0]
    if len(element.kids) == 1 and isinstance(element.kids[0], str):
        parts.append(element.kids[0])
    else:
        _collect(element, parts, _drawn(element))
    code = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    lines = [line.rstrip() for line in code.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def language(element: Element) -> str:
    """Return the language that the block, what is in it, or what stands close above it names."""
    inner = element.first("code")
    for candidate in (element, inner):
        found = _declared(candidate) if candidate is not None else ""
        if found:
            return found
    for _, above in zip(range(6), element.ancestors(), strict=False):
        if above.tag in _WIDE or len(above.kids) > 12 or len(above.raw.select("pre")) > 1 + (element.tag == "table"):
            break
        found = _declared(above)
        if found:
            return found
    return ""


def _declared(element: Element) -> str:
    for name in ("data-language", "data-lang", "data-code-lang", "lang"):
        value = element.get(name).strip().lower()
        if value and (name != "lang" or value in _BARE) and value not in _NOT:
            return value
    classes = element.classes
    for i, name in enumerate(classes):
        found = _NAMED.match(name)
        if found and found.group(1).lower() not in _NOT and not found.group(1).startswith(("line", "copy", "block")):
            return found.group(1).lower()
        if name.lower() in ("brush:", "brush") and i + 1 < len(classes):
            return classes[i + 1].strip(";").lower()
        if name.lower().startswith("brush:"):
            return name[6:].strip(" ;").lower()
    if element.tag in ("pre", "code") or any(c.lower() in _MARKERS for c in classes):
        return next((c.lower() for c in classes if c.lower() in _BARE), "")
    return ""


def _code_cell(table: Element) -> Element | None:
    cells = [e for e in table.walk() if e.tag == "td"]
    if len(cells) > 2:
        return None
    return cells[-1] if cells else None


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How a block is drawn: by elements for lines, without line ends; with numbers that can't be selected."""

    split: bool
    unselectable: bool


def _drawn(element: Element) -> _Drawn:
    numbered = element.raw.select_one("[data-line]") is not None
    lines = [
        e
        for e in element.walk()
        if (e.classes and e.tag == "span" and not _LINES.isdisjoint(e.classes)) or (numbered and e.get("data-line"))
    ]
    split = len(lines) > 1 and not any("\n" in e.text() for e in lines[:-1]) and element.text().strip("\n").count("\n") < len(lines) - 1
    return _Drawn(split, element.raw.select_one("[style*=user-select]") is not None)


def _collect(element: Element, parts: list[str], drawn: _Drawn) -> None:
    for kid in element.kids:
        if isinstance(kid, str):
            parts.append(kid)
        elif kid.tag == "br":
            parts.append("\n")
        elif kid.tag in _UNSEEN or (kid.classes and not _APART.isdisjoint(kid.classes)) or (drawn.unselectable and _unselectable(kid)):
            continue
        elif kid.tag in _BLOCKS or (drawn.split and (not _LINES.isdisjoint(kid.classes) or bool(kid.get("data-line")))):
            if parts and not parts[-1].endswith("\n") and "".join(parts[-3:]).strip(" "):
                parts.append("\n")
            _collect(kid, parts, drawn)
            if (parts and not parts[-1].endswith("\n")) or not kid.text():
                parts.append("\n")
        elif len(kid.kids) == 1 and isinstance(kid.kids[0], str):
            parts.append(kid.kids[0])
        else:
            _collect(kid, parts, drawn)


def _unselectable(element: Element) -> bool:
    style = element.get("style")
    return "user-select" in style and "none" in style and element.words().isdigit()
