"""Follow-up questions that stand alone.

In: the earlier turns of a conversation and a new question. Out: a question that a search understands without them. By rules: a question
that points back, or has hardly a word of its own, takes along what the last question was about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pincite.answer.intent import entities, intent_of
from pincite.answer.terms import question_terms

_BACK = re.compile(
    r"\b(?:it|its|that|this|these|those|they|them|their|there|one|ones|same|former|latter|else|also|too|instead|again|more)\b"
    r"|^\W*(?:and|but|or|so|why|what\s+about|how\s+about|then|also)\b|^(?:那|它|这个|那个|这|还有|另外|为什么)|(?:それ|その|これ|この|あれ|では|じゃあ)|(?:그것|그거|그럼|이것)",
    re.I,
)
FEW: Final = 2
"""A question with at most this many content words may lean on the one before."""


def standalone(question: str, history: Sequence[tuple[str, str]]) -> str:
    """Return the question with the subject of the last one that had one; `history` is (role, text), oldest first."""
    earlier = [text for role, text in history if role == "user" and intent_of(text) != "none"]
    if not earlier or intent_of(question) == "none":
        return question
    own = question_terms(question)
    points = _BACK.search(question) is not None and not entities(question)
    if not points and not (len(own) <= FEW and not entities(question)):
        return question
    last = standalone(earlier[-1], [("user", t) for t in earlier[:-1]]) if len(earlier) > 1 else earlier[-1]
    subject = entities(last) or (last,)
    return f"{question.rstrip()} ({', '.join(subject)[:200]})"
