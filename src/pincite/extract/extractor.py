"""The extractor of all formats: decides by media type, kind, path ending and content, and gives the document its identity.

In: a snapshot. Out: a `Document`. Raises SourceError with the rule `binary`, `empty` or `unreadable`.
"""

from __future__ import annotations

import re

from pincite.errors import SourceError
from pincite.extract import (
    asciidoc,
    code,
    dom,
    forms,
    html,
    languages,
    man,
    markdown_source,
    notebook,
    office,
    pdf,
    plain,
    python_code,
    rst,
    rules,
    symbols,
    unsafe,
)
from pincite.extract.encoding import Decoded, decode
from pincite.extract.outline import Outline
from pincite.extract.reading import Reading
from pincite.types import Document, Fetched, Snapshot, document_id


class DefaultExtractor:
    """Extracts text, markup sources, HTML, notebooks, PDF, Word, feeds and code. `selectors`: YAML with the user's own content rules."""

    def __init__(self, selectors: str = "") -> None:
        shipped = rules.shipped()
        self.rules = rules.read(selectors, "selectors").before(shipped) if selectors.strip() else shipped

    @property
    def version(self) -> str:
        """The versions of all readers; a change makes `reindex` process again."""
        return f"{html.VERSION} {_VERSIONS}"

    def extract(self, snapshot: Snapshot) -> Document:
        """Return the document. Raises SourceError where there is no text to take."""
        capture, body = snapshot.capture, snapshot.body
        where = capture.path or capture.url
        if not body.strip():
            raise SourceError(f"{where} is empty: there is nothing to take.", url=capture.url, rule="empty")
        form = forms.form(capture.media_type, capture.kind, where, body)
        if form == "binary":
            kind = capture.media_type or "unknown type"
            raise SourceError(f"{where} is binary ({kind}); no text can be taken from it.", url=capture.url, rule="binary")
        url = capture.final_url or capture.url
        if form in ("pdf", "docx", "feed"):
            decoded = Decoded("", "binary", "default")
            reading = self._packed(form, body, url)
        else:
            decoded = decode(body, capture.charset, markup=form == "html")
            reading = html.read(decoded.text, url, self._rules(snapshot)) if form == "html" else self._text(form, decoded.text, url)
        if not reading.text.strip() or not reading.blocks:
            raise SourceError(f"{where} holds no text that a reader would see.", url=capture.url, rule="empty")
        return _document(snapshot, reading, decoded, where, form)

    def _rules(self, snapshot: Snapshot) -> rules.Rules:
        """Return the rules for a page: its source's own selectors come first."""
        selector, exclude = snapshot.selector or "", snapshot.exclude_selector or ""
        return rules.chosen(selector, exclude).before(self.rules) if selector or exclude else self.rules

    def links(self, fetched: Fetched) -> tuple[str, ...]:
        """Return the absolute links of an HTML page, its `<base>` honoured, in order; nothing for other formats."""
        if not fetched.body.strip() or forms.form(fetched.media_type, fetched.kind, fetched.path, fetched.body) != "html":
            return ()
        charset = re.search(r"charset=[\"']?([\w.:-]+)", fetched.header("content-type"), re.I)
        page = dom.parse(decode(fetched.body, charset.group(1) if charset else "", markup=True).text)
        return html.links(page, html.base_of(page, fetched.final_url))

    def _packed(self, form: str, body: bytes, url: str) -> Reading:
        if form == "pdf":
            ink, title = pdf.read(body)
            text = ink.text
            sections, blocks = ink.outline.finish(len(text))
            return Reading(text, sections, blocks, "pdf@1", title=title, language=languages.guess(text), rule="pdf")
        return self._markup(form, office.docx(body) if form == "docx" else office.feed(body), url)

    def _markup(self, form: str, markup: str, url: str) -> Reading:
        made = html.read(markup, url, self.rules)
        return Reading(
            made.text,
            made.sections,
            made.blocks,
            f"{form}@1",
            title=made.title,
            language=made.language,
            links=made.links,
            retention=made.retention,
            rule=form,
            flags=made.flags,
        )

    def _text(self, form: str, text: str, url: str) -> Reading:
        cleaned = unsafe.clean(text)
        text = cleaned.text
        if form == "man" and man.is_man(text):
            return self._markup("man", man.to_html(text), url)
        if form == "notebook":
            text = notebook.markdown(text)
        language = form[5:] if form.startswith("code:") else ""
        outline, title = _outline(form, text, language)
        sections, blocks = outline.finish(len(text))
        return Reading(
            text=text,
            sections=sections,
            blocks=blocks,
            extractor=f"{form.partition(':')[0]}@1",
            title=title,
            language="" if language else languages.guess(text),
            code_language=language,
            flags=cleaned.flags,
            dropped=cleaned.dropped if form != "notebook" else (),
            rule=form,
        )


_VERSIONS = "markdown@1 text@1 rst@1 asciidoc@1 code@1 notebook@1 pdf@1 docx@1 feed@1 man@1"


def _outline(form: str, text: str, language: str) -> tuple[Outline, str]:
    """Return the outline of a text that stands as it is, and its title where it has one."""
    if form in ("markdown", "notebook"):
        page = markdown_source.read(text)
        return page.outline, page.front_title or page.first_heading
    if form == "rst":
        return rst.read(text)
    if form == "asciidoc":
        return asciidoc.read(text)
    if language:
        found = python_code.read(text) if language == "python" else symbols.read(text, language)
        return found or code.read(text, language), ""
    return plain.read(text), ""


def _document(snapshot: Snapshot, reading: Reading, decoded: Decoded, path: str, form: str) -> Document:
    capture = snapshot.capture
    base = capture.final_url or capture.url
    excluded = f" without {snapshot.exclude_selector}" if snapshot.exclude_selector and form == "html" else ""
    name = path.rstrip("/").rpartition("/")[2] or path
    return Document(
        id=document_id(
            capture.snapshot, base, decoded.encoding, reading.extractor, reading.rule + excluded, name if not reading.title else ""
        ),
        snapshot=capture.snapshot,
        base_url=base,
        kind="code" if form.startswith("code") else "doc",
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
