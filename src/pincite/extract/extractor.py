"""The extractor of all formats: decides by media type, kind, path ending and content, and gives the document its identity.

In: a snapshot. Out: a `Document`. Raises SourceError with the rule `binary`, `empty` or `unreadable`.
"""

from __future__ import annotations

import re

from pincite.errors import SourceError
from pincite.extract import code, dom, html, languages, markdown_source, plain, python_code, rst, rules, unsafe
from pincite.extract.encoding import Decoded, decode
from pincite.extract.outline import Outline
from pincite.extract.reading import Reading
from pincite.types import Document, Fetched, Kind, Snapshot, document_id

_TEXT_TYPES = re.compile(r"^(?:text/|application/(?:xhtml\+xml|xml|json|javascript|x-sh|x-python|toml|yaml|x-yaml|x-httpd-php|sql))", re.I)
_MARKUP = re.compile(r"^\s*(?:\ufeff)?(?:<!--.*?-->\s*|<\?xml[^>]*>\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S)
_BINARY = (
    b"\x7fELF", b"MZ\x90", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"(\xb5/\xfd", b"%PDF",
    b"\xca\xfe\xba\xbe", b"OggS", b"RIFF", b"SQLite format 3", b"wOFF", b"wOF2",
)  # fmt: skip
_MARKDOWN = frozenset(["md", "markdown", "mdx", "mkd", "mdown", "qmd", "rmd"])
_HTML = frozenset(["html", "htm", "xhtml"])


class DefaultExtractor:
    """Extracts text, Markdown, reStructuredText, HTML, Python and other code. `selectors`: YAML with the user's own rules."""

    def __init__(self, selectors: str = "") -> None:
        shipped = rules.shipped()
        self.rules = rules.read(selectors, "selectors").before(shipped) if selectors.strip() else shipped

    @property
    def version(self) -> str:
        """The versions of all readers; a change makes `reindex` process again."""
        return f"{html.VERSION} markdown@1 text@1 rst@1 code@1"

    def extract(self, snapshot: Snapshot) -> Document:
        """Return the document. Raises SourceError where there is no text to take."""
        capture, body = snapshot.capture, snapshot.body
        where = capture.path or capture.url
        if not body.strip():
            raise SourceError(f"{where} is empty: there is nothing to take.", url=capture.url, rule="empty")
        form = _form(capture.media_type, capture.kind, where, body)
        if form == "binary":
            raise SourceError(
                f"{where} is binary ({capture.media_type or 'unknown type'}); no text can be taken from it.", url=capture.url, rule="binary"
            )
        decoded = decode(body, capture.charset, markup=form == "html")
        url = capture.final_url or capture.url
        reading = _read(form, decoded.text, url) if form != "html" else html.read(decoded.text, url, self.rules)
        if not reading.text.strip() or not reading.blocks:
            raise SourceError(f"{where} holds no text that a reader would see.", url=capture.url, rule="empty")
        return _document(snapshot, reading, decoded, "code" if form.startswith("code") else "doc", where)

    def links(self, fetched: Fetched) -> tuple[str, ...]:
        """Return the absolute links of an HTML page, its `<base>` honoured, in order; nothing for other formats."""
        if not fetched.body.strip() or _form(fetched.media_type, fetched.kind, fetched.path, fetched.body) != "html":
            return ()
        charset = re.search(r"charset=[\"']?([\w.:-]+)", fetched.header("content-type"), re.I)
        page = dom.parse(decode(fetched.body, charset.group(1) if charset else "", markup=True).text)
        return html.links(page, html.base_of(page, fetched.final_url))


def _form(media_type: str, kind: Kind | None, path: str, body: bytes) -> str:
    """Name the format: html, markdown, rst, text, code:<language> or binary."""
    name = path.partition("?")[0].partition("#")[0]
    ending = name.rpartition("/")[2].rpartition(".")[2].lower() if "." in name.rpartition("/")[2] else ""
    if _is_binary(body, media_type):
        return "binary"
    if media_type in ("text/html", "application/xhtml+xml") and kind != "code":
        return "html"
    language = code.language_of(name)
    if kind == "code":
        return f"code:{language or 'text'}"
    if ending in _MARKDOWN or media_type in ("text/markdown", "text/x-markdown"):
        return "markdown"
    if ending in ("rst", "rest"):
        return "rst"
    if ending in _HTML or ((not ending or ending in ("asp", "aspx", "jsp", "cgi")) and _MARKUP.match(body[:2048].decode("latin-1"))):
        return "html"
    if language and kind != "doc":
        return f"code:{language}"
    if ending in ("txt", "text") or kind == "doc":
        return "markdown" if kind == "doc" and not ending else "text"
    return "html" if _MARKUP.match(body[:2048].decode("latin-1")) else "text"


def _is_binary(body: bytes, media_type: str) -> bool:
    if body.startswith((b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf")):
        return False
    if body.startswith(_BINARY):
        return True
    head = body[:8192]
    if b"\x00" in head:
        return not media_type.startswith("text/html") or head.count(b"\x00") > len(head) // 20
    control = sum(1 for byte in head if byte < 9 or 13 < byte < 27 or 27 < byte < 32)
    return control > len(head) * 0.1


def _read(form: str, text: str, url: str) -> Reading:
    cleaned = unsafe.clean(text)
    text = cleaned.text
    title, links, language, name = "", (), "", "text@1"
    outline = Outline()
    if form == "markdown":
        page = markdown_source.read(text)
        outline, title, name = page.outline, page.front_title or page.first_heading, "markdown@1"
    elif form == "rst":
        outline, title = rst.read(text)
        name = "rst@1"
    elif form.startswith("code:"):
        language, name = form[5:], "code@1"
        outline = (python_code.read(text) if language == "python" else None) or code.read(text, language)
    else:
        outline = plain.read(text)
    sections, blocks = outline.finish(len(text))
    return Reading(
        text=text,
        sections=sections,
        blocks=blocks,
        extractor=name,
        title=title,
        language="" if language else languages.guess(text),
        code_language=language,
        links=links,
        flags=cleaned.flags,
        dropped=cleaned.dropped,
        rule=form,
    )


def _document(snapshot: Snapshot, reading: Reading, decoded: Decoded, kind: Kind, path: str) -> Document:
    capture = snapshot.capture
    base = capture.final_url or capture.url
    name = path.rstrip("/").rpartition("/")[2] or path
    return Document(
        id=document_id(capture.snapshot, base, decoded.encoding, reading.extractor, reading.rule, name if not reading.title else ""),
        snapshot=capture.snapshot,
        base_url=base,
        kind=kind,
        title=reading.title or name,
        text=reading.text,
        sections=reading.sections,
        blocks=reading.blocks,
        extractor=reading.extractor,
        language=reading.language,
        code_language=reading.code_language,
        canonical_url=reading.canonical_url,
        links=reading.links,
        retention=reading.retention,
        rule=reading.rule,
        main_path=reading.main_path,
        flags=(*decoded.flags, *reading.flags),
        dropped=reading.dropped,
    )
