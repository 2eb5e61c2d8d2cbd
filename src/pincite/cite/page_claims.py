"""Does a page carry a claim? Judged by numbers, names and negations of the sentences that come nearest to it, without a model.

In: a claim, the documents to judge it by, an anchor inside them. Out: `Judgement`: failed with a reason, lexical, or unchecked. A claim
in quotation marks is a quote and is judged as one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pincite.cite import opposing
from pincite.cite.claims import LEXICAL, Judgement
from pincite.cite.fold import CJK
from pincite.cite.haystack import Haystacks
from pincite.cite.locate import locate
from pincite.cite.units import nearest, units
from pincite.types import Document, Span

SHOWN: Final = 6
"""Nearest sentences that a judge is shown, each with what stands above it."""
_QUOTED = re.compile(r'^\s*["“„«「](.+)["”“»」]\s*\.?\s*$', re.S)


def judge(claim: str, documents: Sequence[Document], anchor: str | None, haystacks: Haystacks) -> Judgement:
    """Say whether the documents speak for or against a claim. Raises nothing: without documents it is unchecked."""
    if not documents:
        return Judgement("unchecked", "the library does not hold that page")
    quoted = _QUOTED.match(claim)
    if quoted is not None:
        located = [locate(quoted.group(1), haystacks.of(d)) for d in documents]
        if any(found.accepted for found in located):
            return Judgement("lexical", "quoted verbatim")
        return Judgement("failed", f"the quoted words do not stand there ({located[0].verdict})")
    found = [u for d in documents for u in units(d, anchor)]
    if not found:
        return Judgement("unchecked", "the page has no sentences")
    everything = "\n".join(d.visible(Span(0, len(d.text))) for d in documents)
    near = nearest(claim, found)
    if reason := opposing.reason(claim, near, found, everything):
        return Judgement("failed", reason)
    shown = tuple(f"{w.unit.above.strip()}\n{w.unit.text}" for w in near[:SHOWN])
    if CJK.search(claim) and not CJK.search(everything):
        return Judgement("unchecked", "another language than the page", shown)
    return Judgement("lexical" if near[0].cover >= LEXICAL else "unchecked", heard=shown)
