"""Bytes to text, in the order of the WHATWG standard: byte-order mark, transport, `meta`, detection.

In: bytes, the transport's charset, whether they are HTML. Out: the text, the encoding's name and how it was found. Rules: WHATWG HTML
"Determining the character encoding"; labels and decoders are the Encoding standard's, by the parser's own tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import turbohtml
from turbohtml.detect import detect

How = Literal["bom", "transport", "meta", "utf-8", "detected", "default"]
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
ENOUGH, ENOUGH_WIDE = 3, 200
"""So many well-formed UTF-8 sequences, and none that is not, outweigh a declaration of a single-byte encoding, or of a multi-byte one."""
_WIDE = frozenset(("gbk", "gb18030", "big5", "euc-jp", "euc-kr", "shift_jis", "iso-2022-jp"))
PRESCAN = 16_384
"""Bytes in which a `meta` is looked for: more than the standard's 1,024, since pages put comments and scripts first."""
_STRAY = re.compile("[\udc80-\udcff]+")


@dataclass(frozen=True, slots=True)
class Decoded:
    """Text, the encoding it was read in, how that was found, and flags where bytes did not fit."""

    text: str
    encoding: str
    how: How
    flags: tuple[str, ...] = ()


def decode(body: bytes, charset: str = "", *, markup: bool = False) -> Decoded:
    """Decode bytes of an unknown encoding; malformed bytes become U+FFFD and are flagged, nothing raises."""
    for mark, name in _BOMS:
        if body.startswith(mark):
            return _read(body[len(mark) :], name, "bom")
    strict = _strict(body)
    beyond = len(body.translate(None, _NO_LEAD)) if strict is not None and not body.isascii() else 0
    named = encoding(charset)
    if named and not _contradicted(named, body, strict, beyond):
        return _read(body, named, "transport")
    if beyond >= ENOUGH_WIDE:
        return Decoded(strict or "", "utf-8", "utf-8")
    if markup:
        declared, certain = sniff(body)
        if certain and not _contradicted(declared, body, strict, beyond):
            return _read(body, declared, "meta")
        if body.isascii():
            return Decoded(body.decode("ascii"), declared, "default")
    if strict is not None:
        return Decoded(strict, "utf-8", "utf-8")
    if _share_of_utf8(body) > 0.5:
        return _read(body, "utf-8", "utf-8")
    guessed = encoding((detect(body[:200_000]).encoding or "").replace("UTF-8-SIG", "utf-8"))
    return _read(body, guessed or "windows-1252", "detected" if guessed else "default")


_NO_LEAD = bytes(range(0xC0))
"""Bytes that begin no sequence beyond ASCII in UTF-8."""


def _contradicted(name: str, body: bytes, strict: str | None, beyond: int) -> bool:
    """Say whether the bytes speak against a declaration."""
    if name == "utf-8":
        return strict is None and _share_of_utf8(body) < 0.5
    return beyond >= (ENOUGH_WIDE if name in _WIDE else ENOUGH) and not name.startswith("utf-16")


def encoding(label: str) -> str:
    """Return the name of the encoding that a label means, in lower case, or an empty string for one that is unknown."""
    label = label.strip(" \t\r\n\f\"'")
    if not label:
        return ""
    try:
        return (turbohtml.parse(b"x", encoding=label).encoding or "").lower()
    except LookupError:
        return ""


def sniff(body: bytes) -> tuple[str, bool]:
    """Return what a page's own bytes say of their encoding, and whether they declare it rather than leave it to the default."""
    page = turbohtml.parse(body[:PRESCAN])
    return (page.encoding or "windows-1252").lower(), page.encoding_confidence == "certain" or _declares(page)


def _declares(page: turbohtml.Document) -> bool:
    return (page.encoding or "").lower() not in ("windows-1252", "utf-8") or page.select_one("meta[charset], meta[http-equiv]") is not None


def _strict(body: bytes) -> str | None:
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _share_of_utf8(body: bytes) -> float:
    """Return which share of the sequences beyond ASCII is well-formed UTF-8."""
    text = body[:200_000].decode("utf-8", "replace")
    bad = text.count("\ufffd")
    good = len(text.encode("ascii", "ignore"))
    beyond = len(text) - good
    return 1.0 - bad / beyond if beyond else 1.0


def _read(body: bytes, name: str, how: How) -> Decoded:
    if name == "utf-8":
        strict = _strict(body)
        if strict is not None:
            return Decoded(strict, name, how)
        text = body.decode("utf-8", "surrogateescape")
        mended = _STRAY.sub(_stray, text)
        return Decoded(mended, name, how, ("malformed-bytes",) if mended is not text and mended != text else ())
    text = body.decode("whatwg-" + name, "replace")
    return Decoded(text, name, how, ("malformed-bytes",) if "\ufffd" in text else ())


def _stray(found: re.Match[str]) -> str:
    """Read a single stray byte in UTF-8 text as windows-1252, where such bytes come from; longer runs are replaced."""
    run = found.group()
    if len(run) > 1:
        return "\ufffd"
    return bytes([ord(run) - 0xDC00]).decode("whatwg-windows-1252", "replace")
