"""What a reader is told behind a footnote: a repaired quote, words planted for assistants, a person's own note.

In: a citation and labels. Out: the end of its printed note, empty for most.
"""

from __future__ import annotations

from pincite.cite.labels import Labels
from pincite.cite.printing import harmless
from pincite.planted import PLANTED
from pincite.types import Citation

MAX_REMARK = 1000
"""Characters of a person's note."""
_QUOTATION = str.maketrans(dict.fromkeys('“”„«»「」『』"', "'"))


def behind(citation: Citation, words: Labels) -> str:
    """Return the remarks of a note, each after a dot. A note's quotation marks belong to the quote, so a remark has none."""
    found = [words.repaired] if citation.verification.status == "near" else []
    if PLANTED in citation.flags:
        found.append("⚠ " + words.planted)
    if citation.remark:
        found.append(words.remark.format(text=harmless(" ".join(citation.remark.translate(_QUOTATION).split()))))
    return "".join(" · " + text for text in found)
