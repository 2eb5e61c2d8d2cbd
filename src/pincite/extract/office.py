"""Word documents and feeds as HTML, for the HTML reader.

In: bytes or XML text. Out: HTML text. Raises SourceError where the file is damaged, or the extra that reads it is not installed.
"""

from __future__ import annotations

import html
import io
import zipfile

from lxml import etree

from pincite.errors import SourceError

LIMIT_UNPACKED = 100 * 1024 * 1024
_ATOM = "{http://www.w3.org/2005/Atom}"
_CONTENT = "{http://purl.org/rss/1.0/modules/content/}encoded"


def is_docx(body: bytes) -> bool:
    """Say whether the bytes are a Word document."""
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            return "word/document.xml" in archive.namelist()
    except zipfile.BadZipFile:
        return False


def docx(body: bytes) -> str:
    """Return a Word document as HTML."""
    try:
        import mammoth
    except ImportError as error:
        raise SourceError("Word documents need `pip install 'pincite[docx]'`.", rule="extra") from error
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > LIMIT_UNPACKED:
            raise SourceError(f"This Word document unpacks to more than {LIMIT_UNPACKED} bytes.", rule="too large")
    try:
        made = mammoth.convert_to_html(io.BytesIO(body), convert_image=mammoth.images.img_element(lambda image: {"src": ""}))
    except (KeyError, ValueError, zipfile.BadZipFile, OSError) as error:
        raise SourceError(f"This Word document is damaged: {error}.", rule="unreadable") from error
    return f"<html><body><main>{made.value}</main></body></html>"


def feed(body: bytes) -> str:
    """Return an RSS or Atom feed as HTML: a heading with its link for each entry, then its content."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, recover=True, huge_tree=False)
    root = etree.fromstring(body, parser)
    if root is None:
        raise SourceError("This feed is not valid XML.", rule="unreadable")
    parts = [f"<h1>{html.escape(_text(root, 'channel/title', f'{_ATOM}title'))}</h1>"]
    for entry in [*root.iter("item"), *root.iter(f"{_ATOM}entry")]:
        link = entry.find(f"{_ATOM}link")
        target = link.get("href", "") if link is not None else _text(entry, "link")
        title = html.escape(_text(entry, "title", f"{_ATOM}title"))
        content = _text(entry, _CONTENT, f"{_ATOM}content", "description", f"{_ATOM}summary")
        parts.append(f'<section><h2><a href="{html.escape(target)}">{title}</a></h2>{content}</section>')
    return f"<html><body><main>{''.join(parts)}</main></body></html>"


def _text(element: etree._Element, *names: str) -> str:
    for name in names:
        found = element.find(name)
        if found is not None and (words := "".join(str(t) for t in found.itertext()).strip()):
            return words
    return ""
