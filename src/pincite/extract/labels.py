"""Encoding labels as the WHATWG Encoding standard reads them, and the `meta` prescan of the HTML standard.

In: a label, or a page's first bytes. Out: the encoding's name in lower case, or an empty string.
"""

from __future__ import annotations

import codecs
import re

_WHATWG = {
    "ascii": "windows-1252",
    "us-ascii": "windows-1252",
    "latin1": "windows-1252",
    "iso-8859-1": "windows-1252",
    "iso8859-1": "windows-1252",
    "iso-8859-9": "windows-1254",
    "iso-8859-11": "windows-874",
    "tis-620": "windows-874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "chinese": "gb18030",
    "x-gbk": "gb18030",
    "ks_c_5601-1987": "euc-kr",
    "windows-949": "euc-kr",
    "x-sjis": "shift_jis",
    "sjis": "shift_jis",
    "ms_kanji": "shift_jis",
    "windows-31j": "shift_jis",
    "x-euc-jp": "euc-jp",
    "big5-hkscs": "big5",
    "x-x-big5": "big5",
    "utf8": "utf-8",
    "unicode-1-1-utf-8": "utf-8",
    "utf-16": "utf-16-le",
    "unicode": "utf-16-le",
    "macintosh": "macintosh",
    "x-mac-roman": "macintosh",
}
_CODECS = {
    "shift_jis": "cp932",
    "euc-kr": "cp949",
    "big5": "big5hkscs",
    "macintosh": "mac-roman",
    "windows-874": "cp874",
}
_META = re.compile(rb"<!--.*?(?:-->|$)|<meta(?=[\s/])((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>?", re.I | re.S)
_ATTRIBUTE = re.compile(rb"([^\s=>/\"']+)\s*(?:=\s*(\"[^\"]*\"|'[^']*'|[^\s>]+))?")
_CONTENT_CHARSET = re.compile(rb"charset\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s;\"']+)", re.I)


def encoding(label: str) -> str:
    """Return the name of the encoding that a label means, or an empty string for one that is unknown."""
    name = label.strip(" \t\r\n\f\"'").lower()
    if not name:
        return ""
    name = _WHATWG.get(name, name)
    try:
        found = codecs.lookup(_CODECS.get(name, name))
    except (LookupError, ValueError):
        return ""
    return name if getattr(found, "_is_text_encoding", True) else ""


def codec(name: str) -> str:
    """Return Python's codec for an encoding's name."""
    return _CODECS.get(name, name)


def meta(head: bytes) -> str:
    """Return what the first `meta` with a usable charset declares (UTF-16 declared in ASCII bytes means UTF-8)."""
    for match in _META.finditer(head):
        if match.group(1) is None:
            continue
        pairs = {name.lower(): value.strip(b"\"'") for name, value in _ATTRIBUTE.findall(match.group(1))}
        label = pairs.get(b"charset", b"")
        if not label and pairs.get(b"http-equiv", b"").lower() == b"content-type":
            found = _CONTENT_CHARSET.search(pairs.get(b"content", b""))
            label = found.group(1).strip(b"\"'") if found else b""
        name = encoding(label.decode("ascii", "ignore"))
        if name:
            return "utf-8" if name.startswith("utf-16") else name
    return ""
