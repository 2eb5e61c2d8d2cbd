"""In: bytes in many encodings. Out: the text, and how its encoding was found."""

from __future__ import annotations

import pytest

from pincite.extract import labels
from pincite.extract.encoding import decode

TEXT = "Grüße, naïve café"


@pytest.mark.parametrize(
    ("body", "charset", "markup", "text", "encoding", "how"),
    [
        pytest.param(b"\xef\xbb\xbf" + TEXT.encode(), "latin1", False, TEXT, "utf-8", "bom", id="a mark beats the transport"),
        pytest.param(b"\xff\xfe" + TEXT.encode("utf-16-le"), "", False, TEXT, "utf-16-le", "bom", id="UTF-16 by its mark"),
        pytest.param(TEXT.encode(), "", False, TEXT, "utf-8", "utf-8", id="UTF-8 that nobody names"),
        pytest.param(TEXT.encode("latin1"), "iso-8859-1", False, TEXT, "windows-1252", "transport", id="the transport's charset"),
        pytest.param(TEXT.encode(), "iso-8859-1", False, TEXT, "utf-8", "utf-8", id="a transport that is wrong about UTF-8"),
        pytest.param(
            b"<meta charset=gbk>" + "绕过缓存".encode("gbk"), "", True, "<meta charset=gbk>绕过缓存", "gb18030", "meta", id="meta"
        ),
        pytest.param("<p>日本語".encode("shift_jis"), "shift_jis", True, "<p>日本語", "shift_jis", "transport", id="Shift_JIS"),
        pytest.param(TEXT.encode(), "no-such-charset", False, TEXT, "utf-8", "utf-8", id="an unknown name"),
    ],
)
def test_encoding_is_found_in_the_standards_order(body: bytes, charset: str, markup: bool, text: str, encoding: str, how: str) -> None:
    decoded = decode(body, charset, markup=markup)
    assert (decoded.text, decoded.encoding, decoded.how) == (text, encoding, how)
    assert decoded.flags == ()


def test_malformed_bytes_are_replaced_and_flagged() -> None:
    decoded = decode("Grüße und ein Rest".encode() + b"\xff", "utf-8")
    assert decoded.text == "Grüße und ein Rest\ufffd"
    assert decoded.flags == ("malformed-bytes",)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("LATIN1", "windows-1252"),
        (" gb2312 ", "gb18030"),
        ("x-sjis", "shift_jis"),
        ("utf8", "utf-8"),
        ("nonsense", ""),
        ("base64", ""),
        ("", ""),
    ],
)
def test_labels_mean_what_the_standard_says(label: str, name: str) -> None:
    assert labels.encoding(label) == name
