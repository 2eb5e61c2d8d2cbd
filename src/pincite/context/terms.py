"""A term map: what a document calls by another name, for the index and the question alone, never for the text.

In: `{term: aliases}`, texts. Out: the terms whose aliases a text holds. Aliases are found at word boundaries, in any case, the longest
first, so that a shorter alias inside a longer one does not count. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pincite.errors import UsageError
from pincite.types import Chunk, Context, Document


class TermMap:
    """Finds terms by their aliases. Empty, it finds nothing."""

    def __init__(self, aliases: Mapping[str, Sequence[str]]) -> None:
        self._terms: dict[str, list[str]] = {}
        for term, names in aliases.items():
            for name in names:
                self._terms.setdefault(_folded(name), []).append(term)
        longest = sorted(self._terms, key=lambda name: (-len(name), name))
        words = "|".join(r"\s+".join(map(re.escape, name.split())) for name in longest)
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.I) if longest else None

    @classmethod
    def read(cls, lines: Sequence[str]) -> TermMap:
        """Return the map of `term=alias|alias` lines. Raises UsageError for a line that is none."""
        aliases: dict[str, list[str]] = {}
        for line in lines:
            term, mark, names = line.partition("=")
            found = [name.strip() for name in names.split("|") if name.strip()]
            if not mark or not term.strip() or not found:
                raise UsageError(f"custom_term_mapping has `{line}`; write `term=alias|another alias`.")
            aliases.setdefault(term.strip(), []).extend(found)
        return cls(aliases)

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms themselves, each once."""
        return tuple(dict.fromkeys(term for some in self._terms.values() for term in some))

    def __bool__(self) -> bool:
        return self._pattern is not None

    def meant(self, question: str) -> str:
        """Return a question with its aliases replaced by their terms."""
        if self._pattern is None:
            return question
        return self._pattern.sub(lambda match: " ".join(dict.fromkeys(self._terms[_folded(match[0])])), question)

    def found(self, text: str) -> tuple[str, ...]:
        """Return the terms of the aliases in a text, each once, in their order in the text."""
        if self._pattern is None:
            return ()
        return tuple(dict.fromkeys(term for match in self._pattern.finditer(text) for term in self._terms[_folded(match[0])]))


class TermWriter:
    """Notes in contexts which terms a chunk means. Implements the HeaderWriter socket."""

    def __init__(self, terms: TermMap) -> None:
        self._terms = terms

    def written(self, document: Document, chunks: Sequence[Chunk], contexts: Sequence[Context]) -> tuple[Context, ...]:
        """Return the contexts with the terms whose aliases stand in a chunk's headings or text."""
        return tuple(
            replace(context, terms=self._terms.found("\n".join((*context.trail, chunk.span.of(document.text)))))
            for chunk, context in zip(chunks, contexts, strict=True)
        )

    def cost(self, document: Document, chunks: Sequence[Chunk]) -> tuple[int, int]:
        """Return (0, 0): no model is asked."""
        return 0, 0


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
