"""A documentation page at a glance."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pincite.integrations.reading import reading
from pincite.types import Document, Section, Span

PAGE = "https://docs.example.org/guide/start.html"


def library(page: str, headings: list[tuple[int, str]], media_type: str = "text/html") -> Any:
    """Return a library of one page."""
    body = page.encode()
    sections = (
        Section(0, 0, (), Span(0, 0), kind="root"),
        *(Section(i, level, (t,), Span(0, 0)) for i, (level, t) in enumerate(headings, 1)),
    )
    document = Document("doc_1", "sha256:0", PAGE, "doc", "Start", "", sections, (), "html@1")
    capture = SimpleNamespace(ref="REF-abc123", url=PAGE, final_url=PAGE, media_type=media_type, charset="", size=len(body))
    return SimpleNamespace(capture=lambda ref: capture, document=lambda ref: document, body=lambda ref: body)


def test_the_contents_are_the_first_fifteen_headings_indented_by_level() -> None:
    headings = [(1, "Start"), (2, "Install"), (3, "Linux"), (4, "Deeper")] + [(2, f"Part {i}") for i in range(30)]
    found = reading(library("<html></html>", headings), "REF-abc123")
    assert len(found.contents) == 15
    assert (4, "Deeper") not in found.contents
    assert "Table of Contents:\n- Start\n  - Install\n    - Linux\n  - Part 0\n" in found.text()


@pytest.mark.parametrize(
    "where", ["<nav>{}</nav>", "<div class='left sidebar'>{}</div>", "<ul class='toc'>{}</ul>", "<div class='navigation'>{}</div>"]
)
def test_related_pages_come_from_the_navigation_with_addresses_that_can_be_followed(where: str) -> None:
    links = where.format(
        "<a href='../api.html#x'>API <b>reference</b></a><a href='#here'>here</a><a href='https://other.example/'>other</a>"
    )
    found = reading(library(f"<html><body>{links}<main><a href='/not-navigation'>no</a></main></body></html>", []), "REF-abc123")
    assert found.related == (("API reference", "https://docs.example.org/api.html"),)


def test_twenty_related_pages_are_kept_and_ten_shown() -> None:
    links = "".join(f"<a href='/p{i}'>Page {i}</a><a href='/p{i}'>again</a>" for i in range(50))
    found = reading(library(f"<nav>{links}</nav>", []), "REF-abc123")
    assert len(found.related) == 20
    assert found.text().count("\n- Page ") == 10


def test_metadata_name_source_title_domain_and_document() -> None:
    found = reading(library("<p>x</p>", []), "REF-abc123")
    assert (found.source, found.title, found.domain, found.doc_id) == (PAGE, "Start", "docs.example.org", "doc_1")


@pytest.mark.parametrize(("body", "media_type"), [("", "text/html"), ("# Markdown", "text/markdown"), ("\x00<<<", "text/html")])
def test_a_page_without_navigation_has_no_related_pages(body: str, media_type: str) -> None:
    assert reading(library(body, [], media_type), "REF-abc123").related == ()
