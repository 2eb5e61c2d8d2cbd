"""In: bytes with a media type and a path. Out: which reader took them, what kind of document they make, or why they make none."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pincite.errors import SourceError
from pincite.extract.extractor import DefaultExtractor
from pincite.types import Document, Fetched, Kind, Snapshot, capture_of

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


def fetched(body: bytes, path: str, media_type: str = "", kind: Kind | None = None, headers: tuple[tuple[str, str], ...] = ()) -> Fetched:
    url = f"https://docs.example.org/{path}"
    return Fetched(url, url, path, 200, headers, media_type, body, NOON, kind=kind)


def extract(body: bytes, path: str, media_type: str = "", kind: Kind | None = None) -> Document:
    page = fetched(body, path, media_type, kind)
    return DefaultExtractor().extract(Snapshot(capture_of("docs", page), page.body))


@pytest.mark.parametrize(
    ("body", "path", "media_type", "kind", "rule", "made"),
    [
        pytest.param(b"# Title\n\nWords.\n", "guide.md", "", None, "markdown", "doc", id="Markdown by ending"),
        pytest.param(b"# Title\n\nWords.\n", "guide", "text/markdown", None, "markdown", "doc", id="Markdown by media type"),
        pytest.param(b"Just words.\n", "notes.txt", "text/plain", None, "text", "doc", id="plain text"),
        pytest.param(b"Title\n=====\n\nWords.\n", "index.rst", "", None, "rst", "doc", id="reStructuredText"),
        pytest.param(b"def f():\n    pass\n", "a.py", "", None, "code:python", "code", id="Python"),
        pytest.param(b"int main() { return 0; }\n", "a.c", "", None, "code:c", "code", id="other code"),
        pytest.param(b"def f():\n    pass\n", "a/b/c", "", "code", "code:text", "code", id="code because its source says so"),
        pytest.param(b"all:\n\techo hi\n", "Makefile", "", None, "code:make", "code", id="code by its whole name"),
    ],
)
def test_format_follows_media_type_kind_and_ending(
    body: bytes, path: str, media_type: str, kind: Kind | None, rule: str, made: str
) -> None:
    document = extract(body, path, media_type, kind)
    assert (document.rule, document.kind) == (rule, made)
    assert document.text == body.decode()


def test_page_without_media_type_is_known_by_its_markup() -> None:
    document = extract(b"<!-- x --><!doctype html><title>T</title><main><h1>Head</h1><p>Some words that a reader sees.</p></main>", "page")
    assert document.extractor.startswith("html@")
    assert document.title == "T"


@pytest.mark.parametrize(
    ("body", "path", "rule"),
    [
        pytest.param(b"", "a.md", "empty", id="no bytes"),
        pytest.param(b" \n\t\n", "a.txt", "empty", id="white space"),
        pytest.param(b"<html><body><script>x()</script></body></html>", "a.html", "empty", id="a page with nothing to see"),
        pytest.param(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)), "a", "binary", id="an executable"),
        pytest.param(b"\x89PNG\r\n\x1a\n" + bytes(64), "a.png", "binary", id="a picture"),
        pytest.param(bytes(range(256)) * 4, "a.txt", "binary", id="bytes of no text"),
    ],
)
def test_what_holds_no_text_is_refused_with_its_reason(body: bytes, path: str, rule: str) -> None:
    with pytest.raises(SourceError) as error:
        extract(body, path)
    assert error.value.rule == rule


def test_document_of_a_text_is_the_file_itself_with_its_line_ends() -> None:
    body = b"# Titel\r\n\r\nZeile eins\r\nZeile zwei\r\n\r\n\r\n- a\r\n- b"
    document = extract(body, "a.md")
    assert document.text == body.decode()
    assert [b.kind for b in document.blocks] == ["heading", "paragraph", "list_item", "list_item"]


def test_unsafe_characters_are_dropped_flagged_and_placed() -> None:
    document = extract("pass\u200bword and\u202e more\U000e0041\n".encode(), "a.txt")
    assert document.text == "password and more\n"
    assert set(document.flags) == {"dropped:zero-width", "dropped:bidi", "dropped:tags"}
    assert [(d.start, d.end) for d in document.dropped] == [(4, 1), (12, 1), (17, 1)]


def test_same_bytes_give_the_same_document_id() -> None:
    first, second = extract(b"# T\n\nWords.\n", "a.md"), extract(b"# T\n\nWords.\n", "a.md")
    assert first == second
    assert first.id != extract(b"# T\n\nWords!\n", "a.md").id


def test_links_are_absolute_honour_base_and_come_once() -> None:
    body = (
        b"<base href='/v2/'><body><nav><a href='a.html#x'>A</a></nav><a href='a.html'>again</a>"
        b"<a href='https://other.example.org/?q=1'>other</a><a href='mailto:x@y.org'>mail</a><a href='#top'>top</a></body>"
    )
    found = DefaultExtractor().links(fetched(body, "index.html", "text/html"))
    assert found == ("https://docs.example.org/v2/a.html", "https://other.example.org/?q=1", "https://docs.example.org/v2/")


def test_other_formats_have_no_links_to_follow() -> None:
    assert DefaultExtractor().links(fetched(b"[a](b.md)", "index.md", "text/markdown")) == ()


@pytest.mark.parametrize(
    ("body", "path", "title"),
    [
        pytest.param(b"---\ntitle: From the front\n---\n\n# Other\n", "a.md", "From the front", id="front matter"),
        pytest.param(b"intro\n\n## First heading\n", "a.md", "First heading", id="first heading"),
        pytest.param(b"only words\n", "deep/name.md", "name.md", id="file name"),
        pytest.param(b"<title>T &amp; U</title><h1>H</h1><p>words that are seen</p>", "a.html", "T & U", id="title element"),
        pytest.param(b"<body><h1>Head</h1><p>words that are seen</p>", "a.html", "Head", id="first h1"),
    ],
)
def test_title_is_the_documents_own(body: bytes, path: str, title: str) -> None:
    assert extract(body, path).title == title


@pytest.mark.parametrize(
    ("text", "language"),
    [
        pytest.param("如何绕过缓存并且重新读取页面。", "zh", id="Chinese"),
        pytest.param("キャッシュを使わずにページを読み込む方法。", "ja", id="Japanese"),
        pytest.param("캐시를 우회하여 페이지를 다시 읽는 방법.", "ko", id="Korean"),
        pytest.param("This is how the cache is bypassed for the pages that you want to read.", "en", id="English"),
        pytest.param("Der Zwischenspeicher wird mit dieser Option nicht benutzt und die Seite ist neu.", "de", id="German"),
        pytest.param("x = 1", "", id="nothing to go by"),
    ],
)
def test_language_is_told_by_script_or_words(text: str, language: str) -> None:
    assert extract(text.encode(), "a.txt").language == language
