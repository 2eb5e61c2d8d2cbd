"""Bytes to text, in the order of the WHATWG standard: byte-order mark, transport, `meta` prescan, detection.

In: bytes, the transport's charset, whether they are HTML. Out: the text, the encoding's name and how it was found. Rules: WHATWG HTML
"Determining the character encoding" and the Encoding standard's labels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from turbohtml.detect import detect

from pincite.extract import labels

How = Literal["bom", "transport", "meta", "utf-8", "detected", "default"]
_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"))


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
    named = labels.encoding(charset)
    if named and _fits(body, named):
        return _read(body, named, "transport")
    if markup:
        declared = sniff(body)
        if declared and _fits(body, declared):
            return _read(body, declared, "meta")
    try:
        return Decoded(body.decode("utf-8"), "utf-8", "utf-8")
    except UnicodeDecodeError:
        pass
    if _share_of_utf8(body) > 0.5:
        return _read(body, "utf-8", "utf-8")
    guessed = labels.encoding((detect(body).encoding or "").replace("UTF-8-SIG", "utf-8"))
    return _read(body, guessed or "windows-1252", "detected" if guessed else "default")


def sniff(body: bytes) -> str:
    """Return the encoding that a page's own `meta` declares in its first 1,024 bytes, or an empty string."""
    return labels.meta(body[:1024])


def _fits(body: bytes, name: str) -> bool:
    """Refuse a declaration that the bytes contradict: UTF-8 said but broken throughout, or a legacy charset over clean multi-byte UTF-8."""
    if body.isascii():
        return True
    if name.startswith("utf-16"):
        return True
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return name != "utf-8" or _share_of_utf8(body) > 0.5
    return name == "utf-8"


def _share_of_utf8(body: bytes) -> float:
    """Return which share of the sequences beyond ASCII is well-formed UTF-8."""
    text = body[:200_000].decode("utf-8", "replace")
    beyond = sum(1 for char in text if char > "\x7f")
    return 1.0 - text.count("\ufffd") / beyond if beyond else 1.0


def _read(body: bytes, name: str, how: How) -> Decoded:
    text = body.decode(labels.codec(name), "replace")
    return Decoded(text, name, how, ("malformed-bytes",) if "\ufffd" in text else ())
