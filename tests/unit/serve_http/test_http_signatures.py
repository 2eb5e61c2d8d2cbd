"""Signed deliveries: Standard Webhooks 1.0."""

from __future__ import annotations

import base64

import pytest

from pincite.errors import Refused
from pincite.serve.signatures import TOLERANCE_S, genuine, key, signature

KEY = b"0123456789abcdef0123456789abcdef"
BODY = b'{"source":"docs"}'
SIGNED = signature(KEY, "msg_1", "1000", BODY)


@pytest.mark.parametrize(
    ("id", "moment", "body", "offered", "now", "expected"),
    [
        pytest.param("msg_1", "1000", BODY, SIGNED, 1000, True, id="right"),
        pytest.param("msg_1", "1000", BODY, "v1,AAAA " + SIGNED, 1000, True, id="one of several keys"),
        pytest.param("msg_1", "1000", BODY, SIGNED, 1000 + TOLERANCE_S + 1, False, id="late"),
        pytest.param("msg_1", "1000", BODY, SIGNED, 1000 - TOLERANCE_S - 1, False, id="early"),
        pytest.param("msg_2", "1000", BODY, SIGNED, 1000, False, id="another id"),
        pytest.param("msg_1", "1001", BODY, SIGNED, 1000, False, id="another time"),
        pytest.param("msg_1", "1000", b'{"source":"x"}', SIGNED, 1000, False, id="another body"),
        pytest.param("msg_1", "1000", BODY, "", 1000, False, id="no signature"),
        pytest.param("", "1000", BODY, signature(KEY, "", "1000", BODY), 1000, False, id="no id"),
        pytest.param("msg_1", "soon", BODY, signature(KEY, "msg_1", "soon", BODY), 1000, False, id="no time"),
        pytest.param("msg_1", "1000", BODY, "v1,ÿ", 1000, False, id="no ASCII"),
    ],
)
def test_a_delivery_is_genuine_only_when_all_of_it_is_signed_and_in_time(
    id: str, moment: str, body: bytes, offered: str, now: float, expected: bool
) -> None:
    assert genuine(KEY, id, moment, body, offered, now) is expected


def test_keys_may_be_written_as_the_standard_writes_them() -> None:
    assert key("whsec_" + base64.b64encode(KEY).decode()) == key(KEY.decode()) == KEY


@pytest.mark.parametrize("written", ["short", "whsec_QUJD", "whsec_!!!"])
def test_a_short_or_broken_key_is_refused(written: str) -> None:
    with pytest.raises(Refused):
        key(written)
