"""What a quote leaves out of the sentence that it was cut from: a negation, a condition, a limit.

In: a haystack, the place of a quote in it, whether the quote ends like a sentence. Out: yes or no. A stop that the page does not have says
that the sentence ends there, so more is asked of such a quote than of one that is plainly a part.
"""

from __future__ import annotations

import re
from typing import Final

from pincite.cite import meaning
from pincite.cite.haystack import Haystack
from pincite.sentences import sentence_at
from pincite.types import Block, Span

_LITERAL: Final = ("code", "table", "heading", "front_matter", "math")
_CLOSED = re.compile(r"[.!?。！？][\"'”’»」』)\]*_`\s]*$")
_LAST_ITEM = re.compile(r"^,?\s+(?:and|or|und|oder|et|ou|y|o|e)\s+(?:[\w'’-]+\s+){0,3}[\w'’-]+\s*[.;!?]?\s*$")
_WITH_CONDITION = re.compile(r"\b(?:if|when|unless|provided|until|wenn|falls|sofern|si|quand|cuando)\b", re.I)
_AND = re.compile(r"^,?\s+(?:and|or|und|oder|et|ou|y|o)\b", re.I)
"""Behind a condition, what is joined to it belongs to it more often than not."""
_ITEMS = re.compile(r",\s+(?:[\w'’-]+\s+){0,2}[\w'’-]+$")
_BEGINS = re.compile(r"(?:^|[:;])\W*$")
_YET = re.compile(r"^(?:が|けど|けれど|ものの)[、,]?")
"""Behind a verb or an adjective these say `but`; behind a noun the first of them marks a subject."""
_TOLD = re.compile(r"(?:ます|です|た|る|い|ん)$")


def ends(words: str) -> bool:
    """Say whether a quote ends like a sentence."""
    return _CLOSED.search(words) is not None


def cut(haystack: Haystack, place: Span, *, closed: bool = False) -> bool:
    """Say whether the quote leaves out the negation, condition or limit of its sentence. `closed`: it ends like a sentence itself."""
    block = haystack.block_at(place.start)
    document = haystack.document
    if document.kind == "code" or (block is not None and block.kind in _LITERAL):
        return False
    if block is not None and _forbidden(block, place, haystack):
        return True
    around = block.span if block is not None and place.end <= block.span.end else _paragraph(document.text, place)
    before = document.visible(Span(around.start, place.start))
    inner = document.visible(place)
    text = before + inner + document.visible(Span(place.end, max(place.end, around.end)))
    start, end = len(before), len(before) + len(inner)
    first, last = sentence_at(text, start), sentence_at(text, max(start, end - 1))
    lead, rest = text[first.start : start], text[end : last.end]
    ended = bool(re.search(r"[.!?。！？;；:：]\W*$", inner)) and end >= last.end
    if not ended and (meaning.CONDITION.match(rest) or meaning.negated_after(rest) or (_YET.match(rest) and _TOLD.search(inner))):
        return True
    false_stop = closed and not ended and not re.search(r"[.!?。！？]\W*$", inner) and not re.match(r"\W*[.!?。！？]", rest)
    if false_stop and _BEGINS.search(lead) and _goes_on(inner, rest):
        return True
    return meaning.negated_before(lead) or bool(lead.rstrip()[-1:] in ",，、" and meaning.OPENING_CONDITION.search(lead))


def _goes_on(inner: str, rest: str) -> bool:
    """Say whether what a false stop hides limits what the quote says."""
    if meaning.LIMIT.match(rest) or (_ITEMS.search(inner) and _LAST_ITEM.match(rest)):
        return True
    if _WITH_CONDITION.search(inner) and _AND.match(rest):
        return True
    return bool(meaning.RULING.search(inner) and meaning.CIRCUMSTANCE.match(rest))


def _forbidden(block: Block, place: Span, haystack: Haystack) -> bool:
    """Say whether a quote is an item whose lead-in forbids it, without the lead-in: `You must not:`."""
    lead = haystack.block(block.lead) if block.kind == "list_item" and block.lead else None
    if lead is None or place.start < lead.span.end:
        return False
    return meaning.FORBIDDING.search(haystack.document.visible(lead.span)) is not None


def _paragraph(text: str, place: Span) -> Span:
    start = text.rfind("\n\n", 0, place.start)
    end = text.find("\n\n", place.end)
    return Span(0 if start < 0 else start + 2, len(text) if end < 0 else end)
