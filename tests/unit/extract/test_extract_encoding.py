"""In: bytes in many encodings. Out: the text, and how its encoding was found."""

from __future__ import annotations

import pytest

from pincite.extract.encoding import decode
from pincite.extract.encoding import encoding as encoding_of

TEXT = "Grüße, naïve café"


LONG = " ".join([TEXT] * 4)
META = b"<meta charset=gbk>"
HAN = "<meta charset=gbk>绕过缓存"


@pytest.mark.parametrize(
    ("body", "charset", "markup", "text", "encoding", "how"),
    [
        pytest.param(b"\xef\xbb\xbf" + TEXT.encode(), "latin1", False, TEXT, "utf-8", "bom", id="a mark beats the transport"),
        pytest.param(b"\xff\xfe" + TEXT.encode("utf-16-le"), "", False, TEXT, "utf-16le", "bom", id="UTF-16 by its mark"),
        pytest.param(TEXT.encode(), "", False, TEXT, "utf-8", "utf-8", id="UTF-8 that nobody names"),
        pytest.param(TEXT.encode("latin1"), "iso-8859-1", False, TEXT, "windows-1252", "transport", id="the transport's charset"),
        pytest.param(LONG.encode(), "iso-8859-1", False, LONG, "utf-8", "utf-8", id="a transport that is wrong about UTF-8"),
        pytest.param(META + "绕过缓存".encode("gbk"), "", True, HAN, "gbk", "meta", id="meta"),
        pytest.param("<p>日本語".encode("shift_jis"), "shift_jis", True, "<p>日本語", "shift_jis", "transport", id="Shift_JIS"),
        pytest.param(TEXT.encode(), "no-such-charset", False, TEXT, "utf-8", "utf-8", id="an unknown name"),
        pytest.param(b"<p>plain", "", True, "<p>plain", "windows-1252", "default", id="ASCII that says nothing"),
        pytest.param(
            "繞過快取並重新讀取頁面的方法是什麼".encode("big5"),
            "",
            False,
            "繞過快取並重新讀取頁面的方法是什麼",
            "big5",
            "detected",
            id="Big5",
        ),
        pytest.param(
            "Это текст на русском языке.".encode("cp1251"),
            "utf-8",
            True,
            "Это текст на русском языке.",
            "windows-1251",
            "detected",
            id="a transport that is wrong about being UTF-8",
        ),
    ],
)
def test_encoding_is_found_in_the_standards_order(body: bytes, charset: str, markup: bool, text: str, encoding: str, how: str) -> None:
    decoded = decode(body, charset, markup=markup)
    assert (decoded.text, decoded.encoding, decoded.how) == (text, encoding, how)
    assert decoded.flags == ()


def test_malformed_bytes_are_replaced_and_flagged() -> None:
    decoded = decode("Grüße und ein Rest".encode() + b"\xff\xff", "utf-8")
    assert decoded.text == "Grüße und ein Rest\ufffd"
    assert decoded.flags == ("malformed-bytes",)


def test_a_stray_byte_in_utf8_is_read_as_windows_1252() -> None:
    decoded = decode("Grüße, it".encode() + b"\x92" + "s naïve".encode())
    assert decoded.text == "Grüße, it’s naïve"
    assert decoded.flags == ("malformed-bytes",)


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("LATIN1", "windows-1252"),
        (" gb2312 ", "gbk"),
        ("x-sjis", "shift_jis"),
        ("utf8", "utf-8"),
        ("nonsense", ""),
        ("base64", ""),
        ("", ""),
    ],
)
def test_labels_mean_what_the_standard_says(label: str, name: str) -> None:
    assert encoding_of(label) == name
