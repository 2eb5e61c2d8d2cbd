"""Codes in a question that name a capture.

In: a question, a store. Out: the `REF-` codes that exist there, in the order of the question, each once. Understood: `REF-7k3m9q` in any
case and the Base64 of `url:fetched_at`.
"""

from __future__ import annotations

import base64
import binascii
import re

from pincite.protocols import Evidence, Store
from pincite.types import moment, timestamp

_CODE = re.compile(r"\bref-([0-9a-hjkmnp-tv-z]{8}|[0-9a-hjkmnp-tv-z]{6})(?![0-9a-z])", re.I)
_FINGERPRINT = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])")
_MOMENT = re.compile(r":(\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d))$")


def refs_in(text: str, store: Evidence) -> tuple[str, ...]:
    """Return the codes of the captures that the text names and the store holds."""
    found: dict[str, None] = {}
    for match in _CODE.finditer(text):
        capture = store.capture("REF-" + match.group(1).lower())
        if capture is not None:
            found[capture.ref] = None
    for match in _FINGERPRINT.finditer(text):
        ref = resolve_fingerprint(match.group(), store)
        if ref is not None:
            found[ref] = None
    return tuple(found)


def without_refs(text: str) -> str:
    """Return the text without the codes of captures, and without the brackets that held one alone."""
    return " ".join(re.sub(r"[(\[]\s*[)\]]", " ", _FINGERPRINT.sub(_kept, _CODE.sub(" ", text))).split())


def _kept(match: re.Match[str]) -> str:
    """Return a long word that is no fingerprint unchanged."""
    padded = match.group().translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        decoded = base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return match.group()
    return " " if _MOMENT.search(decoded) else match.group()


def code_of(id: str, store: Store) -> str | None:
    """Return the code of the capture that an id names, a `REF-` code or fingerprint, or the `cit_` or `psg_` id of a slice of it."""
    if id[:4].lower() == "ref-":
        return "REF-" + id[4:].lower()
    if id.startswith("cit_"):
        citation = store.citation(id)
        return citation.capture.ref if citation else None
    if id.startswith("psg_"):
        entry = store.entry(id)
        return entry.holding.ref if entry else None
    return resolve_fingerprint(id, store)


def fingerprint(url: str, fetched_at: str) -> str:
    """Return the Base64 fingerprint of a capture: `url:fetched_at`."""
    return base64.b64encode(f"{url}:{fetched_at}".encode()).decode()


def resolve_fingerprint(text: str, store: Evidence) -> str | None:
    """Return the `REF-` code of the capture that a Base64 fingerprint names, or None where it is none or names none."""
    padded = text.translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        decoded = base64.b64decode(padded + "=" * (-len(padded) % 4), validate=True).decode("utf-8")
    except (binascii.Error, UnicodeDecodeError, ValueError):
        return None
    match = _MOMENT.search(decoded)
    if match is None:
        return None
    try:
        at = timestamp(moment(match.group(1)))
    except ValueError:
        return None
    url = decoded[: match.start()]
    return next((c.ref for c in store.captures(url) if timestamp(c.fetched_at) == at), None)
