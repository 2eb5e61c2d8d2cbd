"""What a quote that does not stand in a document changed, and whether it is near enough to be located.

In: the quote's words and a `Haystack`. Out: `Located` with status near (a typing error or an article, nothing that turns the meaning) or
unverified, with the verdict and the vetoes that say why.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Final

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

from pincite.cite import meaning
from pincite.cite.fold import CJK, fold
from pincite.cite.haystack import Haystack, tokens
from pincite.types import Span, Verdict

if TYPE_CHECKING:
    from pincite.cite.locate import Located

NEAR: Final = 92.0
"""Similarity of folded texts, 0 to 100, from which a quote counts as near; CITATIONS.md, rung 4."""
MAX_TYPOS: Final = 2
ONE_PLACE: Final = 75.0
"""Similarity from which a quote is one place, changed, and no longer two places joined."""
MIN_SPLICE: Final = 12
_ARTICLES = frozenset({"a", "an", "the", "that", "of", "to"})
_UNSAFE_AFTER_ARTICLE = frozenset({"few", "little", "lot"})
_NARROWS = frozenset({"", "when", "if", "for", "after", "before", "with", "in", "on", "by", "while", "once", "where", "as"})
_FOREIGN = re.compile("[\u0370-\u052f]")
"""Greek and Cyrillic letters: in a word of Latin ones they are look-alikes, no typing errors."""
_PREFIXES = ("un", "in", "im", "il", "ir", "dis", "de", "non", "mis", "a", "anti", "re", "under", "over", "pre", "post", "sub")


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between a quote and the place it is nearest to: the folded words on either side."""

    offered: tuple[str, ...]
    printed: tuple[str, ...]
    following: str = ""


def explain(words: str, haystack: Haystack) -> Located:
    """Locate the nearest place and say what differs there. Status is near or unverified, never more."""
    from pincite.cite.locate import Located

    folded = fold(words).text.strip()
    mine = tokens(folded)
    window = haystack.nearest(mine.words) if mine.words else None
    if window is None:
        return Located("unverified", "spliced" if spliced(folded, haystack) else "absent")
    theirs = haystack.words
    changes, first, last = _aligned(mine.words, theirs.words[window[0] : window[1]])
    if first > last:
        return Located("unverified", "spliced" if spliced(folded, haystack) else "absent")
    a, b = theirs.starts[window[0] + first], theirs.ends[window[0] + last]
    a, b = _with_units(folded, haystack.seen.text, a, b)
    span = haystack.seen.back(a, b)
    if folded.strip(" .,;:\"'") in haystack.seen.text:
        return Located("unverified", "absent", span, (span,), 0.0, ("word_cut",))
    score = fuzz.ratio(folded.strip(" .,;:\"'"), haystack.seen.text[a:b])
    vetoes = vetoed(words, changes, haystack, span)
    if not vetoes and score >= NEAR - 2:
        return Located("near", "absent" if changes else "punctuation_only", span, (span,), round(score, 1), (), 1)
    verdict: Verdict = "spliced" if _two_places(changes, score) and spliced(folded, haystack) else _verdict(changes, vetoes, score)
    return Located("unverified", verdict, span, (span,), round(score, 1), vetoes or ("words",), 0)


def _with_units(folded: str, text: str, a: int, b: int) -> tuple[int, int]:
    """Widen a place by the unit sign before or behind it, which is no word, where the quote has one there too."""
    if re.search(r"[€$£¥%‰°]\W*$", folded) and (behind := re.match(r"\s?[€$£¥%‰°]", text[b : b + 2])):
        b += behind.end()
    if re.match(r"\W*[€$£¥]", folded) and (before := re.search(r"[€$£¥]\s?$", text[max(0, a - 2) : a])):
        a -= len(before.group())
    return a, b


def hides(gap: str, right: str = "") -> bool:
    """Say whether what the dots skip turns what they join.

    A negation at the gap's edge or one that governs what follows does, and so does a second subject, of which `right` is said.
    """
    found = tokens(gap).words
    if (
        meaning.negated_before(gap.rstrip() + " ")
        or meaning.LEADING_CONDITION.search(gap.rstrip() + " ")
        or meaning.PUT_IN.search(gap)
        or _another_says(gap, right)
    ):
        return True
    if _of_a_second(found, tokens(right).words):
        return True
    if meaning.NEGATION_SIGNS.search(gap) and CJK.search(gap):
        return True
    if re.search(r"[가-힣]", gap) and meaning.NEGATION_SIGNS.search(gap):
        return True
    for i, word in enumerate(found):
        following = found[i + 1] if i + 1 < len(found) else ""
        if word in ("unless", "except", "solely", "exclusively") or (word == "only" and following in _NARROWS):
            return True
        if not (meaning.is_negation(word) or word.endswith(("n't", "n’t"))):
            continue
        if i < 3 or len(found) - i <= 3:
            return True
        subordinate = any(w in ("to", "that", "which", "who", "because", "since", "as", "so") for w in found[max(0, i - 5) : i])
        if not subordinate and word not in ("without", "no"):
            return True
    return False


def _of_a_second(gap: tuple[str, ...], right: tuple[str, ...]) -> bool:
    """Say whether the dots skip `and`, behind which somebody else does what the next piece begins with: A waits here and B ... waits."""
    opening = right[0] if right and right[0].isalpha() and len(right[0]) > 3 and not meaning.turns(right[0]) else ""
    joints = [i for i, w in enumerate(gap) if w in ("and", "while", "whereas", "but", "or")]
    return bool(opening and joints and opening in gap[: joints[-1]] and len(gap) - joints[-1] > 1)


_SAYS = re.compile(
    r"\W*(?:may|can|must|shall|should|will|would|is|are|was|were|has|have|had|does|do|did|cannot"
    r"|darf|dürfen|muss|müssen|kann|ist|sind|war|peut|doit|est|sont|puede|debe|es|son)\b",
    re.I,
)
_TURN = re.compile(r"(?:;|,?\s\b(?:but|while|whereas|yet|although|aber|während|mais|tandis|pero|mientras)\b)\s*\w", re.I)

_ENDS_TURN = re.compile(
    r",\s*(?:but|while|whereas|yet|although|aber|während|mais|tandis\s+que|pero|mientras)\s+(?:[\w'’-]+\s+){0,3}[\w'’-]+\s*$", re.I
)


def _another_says(gap: str, right: str) -> bool:
    """Say whether the dots skip a turn to another subject, of which the next piece is said: `A is red … may be sold`, of B."""
    return ";" in gap.rstrip()[:-1] or bool(_ENDS_TURN.search(gap) or (_SAYS.match(right) and _TURN.search(gap)))


def spliced(folded: str, haystack: Haystack) -> bool:
    """Say whether the quote is two pieces that do stand in the document, but not together."""
    cuts = [m.end() for m in re.finditer(r"\W+|(?<=[぀-ヿ一-鿿])", folded)]
    low, high, longest = 0, len(cuts) - 1, 0
    while low <= high:
        middle = (low + high) // 2
        if folded[: cuts[middle]].strip(" .,;:") in haystack.seen.text:
            longest, low = cuts[middle], middle + 1
        else:
            high = middle - 1
    head, tail = folded[:longest].strip(" .,;:"), folded[longest:].strip(" .,;:\"'")
    if min(len(head), len(tail)) < (MIN_SPLICE if not CJK.search(folded) else 4):
        return False
    return any(True for _ in haystack.occurrences(tail, haystack.seen)) or tail.removeprefix("and ") in haystack.seen.text


def _two_places(changes: list[Change], score: float) -> bool:
    """Say whether the changes are too long to be one place, changed."""
    return score < ONE_PLACE or any(min(len(c.offered), len(c.printed)) >= 3 for c in changes)


def _aligned(mine: tuple[str, ...], theirs: tuple[str, ...]) -> tuple[list[Change], int, int]:
    """Return the changes and the first and last of `theirs` that the quote covers."""
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    blocks = [m for m in matcher.get_matching_blocks() if m.size]
    if not blocks:
        return [], 1, 0
    first = max(0, blocks[0].b - blocks[0].a)
    last = min(len(theirs) - 1, blocks[-1].b + blocks[-1].size - 1 + len(mine) - blocks[-1].a - blocks[-1].size)
    kept = theirs[first : last + 1]
    changes = []
    for op, i1, i2, j1, j2 in SequenceMatcher(None, mine, kept, autojunk=False).get_opcodes():
        if op != "equal":
            changes.append(Change(mine[i1:i2], kept[j1:j2], mine[i2] if i2 < len(mine) else ""))
    return changes, first, last


def vetoed(words: str, changes: list[Change], haystack: Haystack, span: Span) -> tuple[str, ...]:
    """Return why the changes may not pass as typing errors, in the order they are met; empty where they may."""
    printed = haystack.document.visible(span)
    vetoes: list[str] = []
    typos = articles = 0
    named, shown = Counter(_names(words)), Counter(_names(printed))
    mine, theirs = list(named - shown), list(shown - named)
    if haystack.document.kind == "code" or _code_block(haystack, span):
        vetoes.append("code")
    if meaning.numbers(fold(words).text) != meaning.numbers(fold(printed).text):
        vetoes.append("number")
    if meaning.units(words) != meaning.units(printed):
        vetoes.append("unit")
    if _signs(words) != _signs(printed):
        vetoes.append("negation")
    for change in changes:
        if "".join(change.offered) == "".join(change.printed):
            continue
        if len(change.offered) == len(change.printed):
            pairs = list(zip(change.offered, change.printed, strict=True))
            for offered, told in pairs:
                reason = _in_name(offered, mine) or _in_name(told, theirs) or _typo(offered, told, printed, haystack)
                typos += 1
                if reason:
                    vetoes.append(reason)
        elif not change.offered or not change.printed:
            extra = change.offered or change.printed
            articles += len(extra)
            if not all(w in _ARTICLES for w in extra):
                vetoes.append(_why(extra))
            elif change.following in _UNSAFE_AFTER_ARTICLE:
                vetoes.append("words")
        else:
            vetoes.append(_why((*change.offered, *change.printed)))
    if typos > MAX_TYPOS or articles > MAX_TYPOS:
        vetoes.append("words")
    return tuple(dict.fromkeys(vetoes))


def _why(words: tuple[str, ...]) -> str:
    if any(meaning.is_negation(w) or w.endswith("n't") for w in words):
        return "negation"
    if any(w in meaning.MODALS for w in words):
        return "modal"
    if any(meaning.CONDITION.match(w) for w in words):
        return "condition"
    if any(w in meaning.QUANTIFIERS for w in words):
        return "quantifier"
    if any(re.fullmatch(r"\W+", w) for w in words):
        return "operator"
    if any(w.isdigit() for w in words):
        return "number"
    return "words"


def _typo(offered: str, told: str, printed: str, haystack: Haystack) -> str:
    """Return why a replaced word is no typing error, or an empty string: one edit, into a word that the document does not know."""
    if _FOREIGN.search(offered) and told.isascii():
        return "words"
    if CJK.search(offered + told) or not (offered.isalnum() and told.isalnum()) or _digits(offered) != _digits(told):
        return _why((offered, told)) if _why((offered, told)) != "words" else ("identifier" if "_" in offered + told else "words")
    if OSA.distance(offered, told) > 1 or len(offered) < 2 or len(told) < 3:
        return _why((offered, told))
    if meaning.turns(told) and sorted(offered) != sorted(told) and len(offered) >= len(told):
        return _why((offered, told))
    if haystack.knows(offered) or meaning.turns(offered):
        return _why((offered, told)) if meaning.turns(offered) or meaning.turns(told) else "words"
    if {offered, told} <= meaning.AMOUNTS:
        return "number"
    longer, shorter = max(offered, told, key=len), min(offered, told, key=len)
    if any(longer == prefix + shorter for prefix in _PREFIXES):
        return "words"
    own = re.search(rf"\b{re.escape(told)}\b", printed, re.I)
    return "identifier" if own and meaning.is_identifier(re.sub(r"\d", "", own.group())) else ""


def _signs(text: str) -> list[str]:
    """Return the negating signs of scripts whose words are not cut, sorted."""
    return sorted(s for s in meaning.NEGATION_SIGNS.findall(text) if CJK.search(s) or "가" <= s[0] <= "힣")


def _in_name(word: str, names: list[str]) -> str:
    """Say `identifier` where a folded word is a part of one of these names."""
    return "identifier" if any(word in re.split(r"[-_.:]+", name) for name in names) else ""


def _names(text: str) -> list[str]:
    """Return the flags and dotted or snake-case names of a text, folded."""
    return [n.casefold() for n in re.findall(r"(?<!\w)--?[A-Za-z][\w-]*|\w+(?:[_.:]\w+)+", text)]


def _digits(word: str) -> str:
    return "".join(c for c in word if c.isdigit())


def _code_block(haystack: Haystack, span: Span) -> bool:
    block = haystack.block_at(span.start)
    return block is not None and block.kind == "code"


def _verdict(changes: list[Change], vetoes: tuple[str, ...], score: float) -> Verdict:
    if score < 60:
        return "absent"
    dropped = [w for c in changes if len(c.printed) > len(c.offered) for w in c.printed]
    if any(w in ("only", "unless", "except", "if", "when", "until", "provided") for w in dropped) and "negation" not in vetoes:
        return "truncated_condition"
    if any(v in ("negation", "modal", "operator", "quantifier", "condition") for v in vetoes) and not {"identifier", "number"} & set(
        vetoes
    ):
        others = sum(_why((*c.offered, *c.printed)) == "words" for c in changes)
        if CJK.search("".join(w for c in changes for w in (*c.offered, *c.printed))) or not others:
            return "operator_changed"
    return "absent"
