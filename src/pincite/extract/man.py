"""Manual pages in roff (`man` and `mdoc` macros), written as Markdown through HTML.

In: cleaned roff text. Out: HTML text for the HTML reader. Rules: man(7), mdoc(7).
"""

from __future__ import annotations

import html
import re

_FONTS = {"B": "b", "I": "em", "R": "", "P": "", "CW": "code"}
_ESCAPES = {
    "-": "-",
    "e": "\\",
    "&": "",
    "%": "",
    " ": " ",
    "~": " ",
    "|": "",
    "^": "",
    "0": " ",
    "c": "",
    "'": "'",
    "`": "`",
    "/": "",
    ",": "",
    ":": "",
}
_NAMED = {
    "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "dq": '"', "aq": "'", "em": "—", "en": "–", "hy": "-", "bu": "•", "co": "©", "rg": "®",
    "ha": "^", "ti": "~", "rs": "\\",
}  # fmt: skip
_ESCAPE = re.compile(r"\\(?:f(?:\((\w\w)|\[(\w*)\]|(\w))|\((..)|\[([^\]]*)\]|\*(?:\(..|\[[^\]]*\]|.)|s[+-]?\d|(.))")
_MARKS = re.compile(r"^\s*\.(?:TH|Dd|Dt|SH|Sh)\b", re.M)
_WORD = re.compile(r'"((?:[^"]|"")*)"|(\S+)')


def is_man(text: str) -> bool:
    """Say whether a text is a manual page's source."""
    return _MARKS.search(text[:4000]) is not None


def to_html(text: str) -> str:
    """Return a manual page as HTML."""
    return _Page().read(text)


class _Page:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.words: list[str] = []
        self.code = False
        self.term = False
        self.listed = False

    def read(self, text: str) -> str:
        for line in text.split("\n"):
            if line.startswith(('.\\"', "'\\\"")):
                continue
            if line[:1] in ".'" and len(line) > 1:
                name, _, rest = line[1:].strip().partition(" ")
                self._macro(name, [a.replace('""', '"') or b for a, b in _WORD.findall(rest)], rest.strip())
            elif self.code:
                self.words.append(_fonts(line) + "\n")
            elif not line.strip():
                self._flush()
            elif self.term:
                self._term(_fonts(line))
            else:
                self.words.append(_fonts(line))
        self._close()
        return f"<html><body><main>{''.join(self.out)}</main></body></html>"

    def _macro(self, name: str, args: list[str], rest: str) -> None:
        if name in ("TH", "Dt"):
            self.out.append(f"<h1>{html.escape(' '.join(args[:2]) if len(args) < 2 else f'{args[0]}({args[1]})')}</h1>")
        elif name in ("SH", "Sh", "SS", "Ss"):
            self._close()
            level = 2 if name.upper() == "SH" else 3
            self.out.append(f"<h{level}>{_fonts(' '.join(args))}</h{level}>")
        elif name in ("PP", "P", "LP", "Pp", "sp", "HP"):
            self._close()
        elif name in ("TP", "It", "IP", "TQ"):
            self._flush()
            if name == "TP" or name == "TQ":
                self.term = True
            elif args:
                self._term(_fonts(" ".join(a for a in args if not a.isdigit()) if name == "IP" else _mdoc(args)))
        elif name in ("nf", "EX", "Bd"):
            self._flush()
            self.code = True
        elif name in ("fi", "EE", "Ed"):
            self._flush()
            self.code = False
        elif name in ("B", "I", "BR", "IR", "RB", "RI", "BI", "IB", "SM", "SB"):
            self._say(_alternating(name, args))
        elif name in (
            "Nm",
            "Fl",
            "Ar",
            "Op",
            "Xr",
            "Em",
            "Sy",
            "Pa",
            "Ic",
            "Cm",
            "Dv",
            "Ev",
            "Va",
            "Fn",
            "Nd",
            "Li",
            "Ql",
            "Dq",
            "Sq",
            "Pq",
        ):
            self._say(_fonts(_mdoc([name, *args])))
        elif name in ("El", "RE"):
            self._close()

    def _say(self, words: str) -> None:
        if self.term:
            self._term(words)
        else:
            self.words.append(words + ("\n" if self.code else ""))

    def _term(self, words: str) -> None:
        self.term = False
        if not self.listed:
            self.out.append("<dl>")
            self.listed = True
        self.out.append(f"<dt>{words}</dt>")

    def _flush(self) -> None:
        if self.words:
            body = f"<pre>{''.join(self.words)}</pre>" if self.code else f"<p>{' '.join(self.words)}</p>"
            self.out.append(f"<dd>{body}</dd>" if self.listed else body)
            self.words = []

    def _close(self) -> None:
        self._flush()
        self.term = False
        if self.listed:
            self.out.append("</dl>")
            self.listed = False


def _alternating(name: str, args: list[str]) -> str:
    if len(name) == 1 or name in ("SM", "SB"):
        return _marked(_FONTS.get(name[-1], ""), _fonts(" ".join(args)))
    return "".join(_marked(_FONTS[name[i % 2]], _fonts(arg)) for i, arg in enumerate(args))


def _marked(tag: str, words: str) -> str:
    return f"<{tag}>{words}</{tag}>" if tag and words else words


def _mdoc(args: list[str]) -> str:
    out: list[str] = []
    dash = False
    for arg in args:
        if arg == "Fl":
            dash = True
        elif arg in ("Ar", "Nm", "Ic", "Cm", "Em", "Sy", "Pa", "Li", "Xr", "Op", "Ns", "Dv", "Ev", "Va", "Fn", "Nd"):
            continue
        else:
            out.append(("-" if dash else "") + arg)
            dash = False
    return " ".join(out)


def _fonts(text: str) -> str:
    out: list[str] = []
    opened = ""
    at = 0
    for found in _ESCAPE.finditer(text):
        out.append(html.escape(text[at : found.start()], quote=False))
        at = found.end()
        font = found.group(1) or found.group(2) or found.group(3)
        if font is not None:
            tag = _FONTS.get(font, "")
            out.append(f"</{opened}>" if opened else "")
            out.append(f"<{tag}>" if tag else "")
            opened = tag
        elif found.group(4) or found.group(5):
            out.append(_NAMED.get(found.group(4) or found.group(5), ""))
        elif found.group(6):
            out.append(html.escape(_ESCAPES.get(found.group(6), found.group(6)), quote=False))
    out.append(html.escape(text[at:], quote=False))
    return "".join(out) + (f"</{opened}>" if opened else "")
