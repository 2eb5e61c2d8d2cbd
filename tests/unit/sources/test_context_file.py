"""Context files and their sections."""

from __future__ import annotations

import pytest

from pincite.sources import context_file

DOC = """# Kiln Doc Context

Generated on 2026-01-02

## File: docs/glaze.md

```md
# Glaze

Mix it:

```bash
kiln mix
```

## Not a file

Done.
```

## File: docs/empty.md

```md
```

## File: docs/plain.md

No fence here.
"""


def test_a_section_ends_at_the_next_file_line_not_at_an_inner_fence() -> None:
    first = context_file.sections(DOC)[0]
    assert first.path == "docs/glaze.md"
    assert first.language == "md"
    assert first.body == "# Glaze\n\nMix it:\n\n```bash\nkiln mix\n```\n\n## Not a file\n\nDone.\n"


def test_sections_without_text_or_fence_are_kept() -> None:
    _, empty, plain = context_file.sections(DOC)
    assert empty.body == ""
    assert (plain.language, plain.body) == ("", "No fence here.\n")


KINDS = {
    "prose": ("Doc", "md", "doc"),
    "code": ("Code", "py", "code"),
    "prose among code": ("Code", "md", "doc"),
    "code among prose": ("Doc", "ts", "code"),
    "no language in a code file": ("Code", "", "code"),
    "no language in a doc file": ("Doc", "", "doc"),
}


@pytest.mark.parametrize(("head", "language", "kind"), KINDS.values(), ids=KINDS)
def test_kind_follows_the_fence_and_else_the_head(head: str, language: str, kind: str) -> None:
    text = f"# Kiln {head} Context\n\n## File: a\n\n```{language}\nx\n```\n"
    assert [s.kind for s in context_file.sections(text)] == [kind]


def test_carriage_returns_and_longer_fences_stay_as_they_are() -> None:
    text = "# Kiln Doc Context\r\n\r\n## File: a.md\r\n\r\n````md\r\nx\r\n```\r\ny\r\n````\r\n"
    assert context_file.sections(text)[0].body == "x\r\n```\r\ny\r\n"


HEADS = {
    "doc": (DOC, True),
    "other title": ("# Kiln\n\n## File: a\n", False),
    "no section": ("# Kiln Doc Context\n\ntext\n", False),
    "title in a sentence": ("About # Kiln Context\n## File: a\n", False),
}


@pytest.mark.parametrize(("text", "is_one"), HEADS.values(), ids=HEADS)
def test_a_context_file_is_known_by_its_head(text: str, is_one: bool) -> None:
    assert context_file.is_context(text) is is_one
