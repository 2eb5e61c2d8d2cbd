"""Does a sentence say no more than its quotes? Checked by what a machine can compare, without a model.

In: a sentence, the blocks that its quotes stand in, the question. Out: `Judgement`: failed with a reason where a number, a name, or a
negation of the sentence does not stand there; lexical where most of its words do; else unchecked. Never entailed: that word is for a
judge.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pincite.cite import meaning, turned
from pincite.cite.carried import carried
from pincite.cite.facts import Facts, facts
from pincite.cite.fold import CJK, fold
from pincite.protocols import Judge
from pincite.types import Support


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LEXICAL: Final = 0.6
"""Share of a sentence's content stems that must stand in the quoted blocks to be called lexical."""
_SMALL = _set(
    "the and for with that this from into are was were has have had been being will can may must should not but you your they them their"
    " its it is be to of in on at by as an or if when which who how what use one"
)
_DEONTIC = (
    frozenset({"must", "shall", "required", "mandatory", "needs", "need"}),
    frozenset({"may", "can", "could", "might", "optional", "optionally"}),
)


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a claim check says, and why."""

    support: Support
    why: str = ""
    heard: tuple[str, ...] = ()
    """The texts that it rests on: what a judge is shown."""

    def asked(self, sentence: str, judge: Judge | None) -> Judgement:
        """Return what a judge makes of it; what failed already is not asked about.

        Only a judge entails, and only what can be looked up: a judge that says yes to everything must not make a reversed sentence true.
        """
        if judge is None or self.support == "failed" or not self.heard:
            return self
        said = judge.judge(sentence, self.heard)
        if said == "failed":
            return Judgement("failed", "the judge finds it unsupported", self.heard)
        if said != "entailed":
            return self
        if not carried(sentence, self.heard):
            return Judgement(self.support, "the judge finds it supported, in other words than the quoted ones", self.heard)
        return Judgement("entailed", self.why, self.heard)


def check(sentence: str, quoted: Sequence[str], question: str = "", quotes: Sequence[str] = ()) -> Judgement:
    """Compare a sentence with the blocks that it quotes, and with the quotes themselves where they are given.

    Words of the question may be repeated; its numbers may not be answers.
    """
    told, held = facts(sentence), facts("\n".join(quoted))
    everything = "\n".join(quoted)
    reason = (
        _numbers(told, held)
        or _names(told, everything, question)
        or _links(sentence, everything)
        or _negations(told, held, sentence, everything, by_block=not quotes)
        or (turned.reason(sentence, quotes, everything, question) if quotes else "")
    )
    if reason:
        return Judgement("failed", reason)
    content = {s for s in told.stems if len(s) > 2 and s not in _SMALL}
    shared = len(content & held.stems) / len(content) if content else 0.0
    if CJK.search(sentence) and not CJK.search(everything):
        return Judgement("unchecked", "another language than the source", tuple(quoted))
    return Judgement("lexical" if shared >= LEXICAL else "unchecked", heard=tuple(quoted))


def _numbers(told: Facts, held: Facts) -> str:
    missing = sorted(told.numbers - held.numbers)
    return f"the number {missing[0]:g} does not stand in the quoted text" if missing else ""


def _names(told: Facts, everything: str, question: str) -> str:
    pool = fold(everything).text + "\n" + fold(question).text
    for name in sorted(told.names):
        bare = fold(name).text.strip()
        if bare and re.search(rf"(?<![A-Za-z0-9_]){re.escape(bare)}(?![A-Za-z0-9_])", pool) is None:
            return f"the name {name} does not stand in the quoted text"
    return ""


def _links(sentence: str, everything: str) -> str:
    for url in re.findall(r"\b(?:https?|ftp|file|javascript|data):[^\s)>\]]+|\bwww\.[^\s)>\]]+", sentence):
        if url.rstrip(".,;") not in everything:
            return "a link that does not stand in the quoted text"
    return ""


def _negations(told: Facts, held: Facts, sentence: str, everything: str, *, by_block: bool) -> str:
    """Find a negation that one side has and the other has not, over the same words."""
    if held.denied and not told.denied and not _soft_negation(sentence):
        content = {s for s in told.stems if len(s) > 2 and s not in _SMALL}
        for scope in held.denied:
            governed = {s for s in scope if len(s) > 2 and s not in _SMALL}
            if governed and len(governed & content) * 2 >= len(governed) and len(held.denied) == 1:
                return "the quoted text negates what the sentence affirms"
    if told.denied and not held.denied and not _soft_negation(everything):
        return "the sentence negates what the quoted text does not"
    words, source = set(fold(sentence).text.split()), set(re.findall(r"\w+", fold(everything).text))
    for one, other in (_DEONTIC, _DEONTIC[::-1]) if by_block else ():
        if words & one and not words & other and not source & one and source & other:
            return "the sentence has another modal than the quoted text"
    return ""


def _soft_negation(text: str) -> bool:
    """Say whether a text negates by a word's own form, where counting negations says nothing."""
    return bool(
        re.search(
            r"\b(?:un|in|im|ir|il|dis|non-?)[a-z]{4,}|\w+less\b|\b(?:instead|rather|avoid\w*|prevent\w*|disabl\w*|forbid\w*|refus\w*|reject\w*|fail\w*"
            r"|only|except|unless|off|skip\w*|ignor\w*|omit\w*|bypass\w*|stop\w*|lack\w*|miss\w*|exclud\w*|prohibit\w*|deny|denied|denies)\b",
            text,
            re.I,
        )
        or meaning.NEGATION_SIGNS.search(text)
    )
