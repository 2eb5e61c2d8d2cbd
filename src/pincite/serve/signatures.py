"""Signatures of webhook deliveries: Standard Webhooks 1.0 (an id, a time, HMAC-SHA256 over both and the body).

In: a key, what a delivery carries, the time now. Out: yes or no.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re

from pincite.errors import Refused
from pincite.serve.auth import SECRET_BYTES

TOLERANCE_S = 300
"""Seconds that a delivery's time may differ from ours."""


def key(secret: str) -> bytes:
    """Return the signing key; `whsec_` is followed by Base64. Raises Refused for a key that is too short."""
    try:
        made = base64.b64decode(secret.removeprefix("whsec_"), validate=True) if secret.startswith("whsec_") else secret.encode()
    except binascii.Error as error:
        raise Refused("`security.hook_secret` begins with whsec_ and goes on with what is no Base64.", rule="secret") from error
    if len(made) < SECRET_BYTES:
        raise Refused(f"`security.hook_secret` has {len(made)} bytes; it must have at least {SECRET_BYTES}, at random.", rule="secret")
    return made


def signature(key: bytes, id: str, moment: str, body: bytes) -> str:
    """Return the signature of a delivery as its header carries it."""
    signed = hmac.new(key, f"{id}.{moment}.".encode() + body, hashlib.sha256).digest()
    return "v1," + base64.b64encode(signed).decode()


def genuine(key: bytes, id: str, moment: str, body: bytes, offered: str, now: float) -> bool:
    """Say whether a delivery is signed by this key and in time."""
    if not re.fullmatch(r"[\x21-\x7e]{1,256}", id) or not re.fullmatch(r"\d{1,12}", moment) or abs(now - int(moment)) > TOLERANCE_S:
        return False
    wanted = signature(key, id, moment, body).encode()
    return any(hmac.compare_digest(wanted, part.encode("utf-8", "replace")) for part in offered.split(" "))
