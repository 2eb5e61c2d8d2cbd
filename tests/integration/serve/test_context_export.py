"""Corpora for assistants: written from a library, and read back to the same documents."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pincite import Library
from pincite.serve import context_export
from pincite.sources import context_file

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
PAGES = {
    "guide/start.md": "# Start\n\nRun it:\n\n```sh\nkettle boil\n```\n\nDone.\n",
    "guide/fences.md": "# Fences\n\n````md\n```py\nx = 1\n```\n````\n\n~~~\ntilde\n~~~\n",
    "guide/format.md": "# Format\n\nA section begins so:\n\n## File: not/a/section.md\n\n```md\nbody\n```\n",
    "guide/plain.txt": "Plain words.\n\nMore of them.\n",
}
CODE = {
    "src/kettle.py": 'class Kettle:\n    """Boils."""\n\n    def boil(self):\n        return "```"\n',
    "src/util.js": "export function pour(cup) {\n  return cup + 1;\n}\n",
}


@pytest.fixture
def library(tmp_path: Path) -> Library:
    """Return a library with documents and code."""
    for path, text in {**PAGES, **CODE}.items():
        file = tmp_path / "kettle" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    made = Library(str(tmp_path / "library.db"))
    made.add(str(tmp_path / "kettle"), name="kettle")
    return made


def documents(library: Library, source: str) -> dict[str, tuple[str, str]]:
    """Return kind and text of each page of a source by its path."""
    return {p.holding.path: (p.document.kind, p.document.text) for p in context_export.pages(library, source=source)}


@pytest.mark.parametrize("kind", ["doc", "code"])
def test_a_corpus_reads_back_to_the_same_documents(library: Library, tmp_path: Path, kind: context_export.Kind) -> None:
    corpus = tmp_path / f"kettle-{kind}-context.md"
    corpus.write_text("".join(context_export.corpus(library, kind, name="Kettle", today=NOON)), "utf-8")
    library.add(str(corpus), name="again")
    wanted = {path: held for path, held in documents(library, "kettle").items() if held[0] == kind}
    assert documents(library, "again") == wanted
    assert set(wanted) == set(PAGES if kind == "doc" else CODE)
    library.close()


def test_the_head_and_the_sections_have_the_known_form(library: Library) -> None:
    text = "".join(context_export.corpus(library, "doc", name="Kettle", today=NOON))
    assert text.startswith("# Kettle Doc Context\n\nGenerated on 2026-11-30\n\n## File: guide/fences.md\n\n`````md\n# Fences\n")
    code = "".join(context_export.corpus(library, "code", name="Kettle", today=NOON))
    assert code.startswith("# Kettle Code Context\n\nGenerated on 2026-11-30\n\n## File: src/kettle.py\n\n```py\nclass Kettle:\n")
    assert "## File: src/util.js\n\n```js\n" in code
    library.close()


LINES = st.lists(
    st.sampled_from(["```", "````md", "~~~", "## File: x.md", "text", "", "  ```py", "# Head", "    code", "`", "`````"]), max_size=12
)


@given(st.lists(LINES, min_size=1, max_size=4))
@example([["## File: a", "```", "## File: b"], ["```"]])
def test_whatever_lines_the_texts_hold_they_read_back(texts: list[list[str]]) -> None:
    bodies = {f"page{i}.md": "".join(line + "\n" for line in lines) for i, lines in enumerate(texts)}
    written = context_export.head("X", "doc", NOON) + "".join(context_export.section(p, t, "md") for p, t in bodies.items())
    assert {s.path: s.body for s in context_file.sections(written)} == bodies


def test_llms_txt_lists_every_page_under_its_source(library: Library) -> None:
    text = "".join(context_export.llms_txt(library, name="Kettle", link=lambda page: f"/r/{page.holding.ref}.md"))
    assert text.startswith("# Kettle\n\n> ")
    assert "\n## kettle\n\n" in text
    assert text.count("\n- [") == len(PAGES) + len(CODE)
    assert "- [Start](/r/REF-" in text
    library.close()


def test_llms_full_holds_every_page_whole_with_its_place(library: Library) -> None:
    text = "".join(context_export.llms_full(library, name="Kettle"))
    for body in {**PAGES, **CODE}.values():
        assert body in text
    assert text.count("\nSource: file://") == len(PAGES) + len(CODE)
    library.close()


def test_a_pages_markdown_says_where_and_when(library: Library) -> None:
    ref = next(h.ref for h in library.held() if h.path == "guide/start.md")
    text = context_export.markdown(context_export.page_of(library, ref))
    assert text.startswith("\n# Start\n\nSource: file://")
    assert ref in text
    assert text.endswith(PAGES["guide/start.md"])
    library.close()
