"""What a page says against a claim: another number, another name, another default, an exception, the opposite.

In: a claim, the sentences nearest to it, all sentences, the page's text. Out: a reason in words, or an empty string. Only closed kinds that
a machine can compare; what is merely said differently is no reason.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from pincite.cite import defaults, meaning
from pincite.cite.facts import denials, names, numbers, stems
from pincite.cite.fold import fold
from pincite.cite.units import EMPTY, Unit, Weighed

NEAR: Final = 0.42
"""Share of a claim's weight that a sentence must cover to speak against it; below, the page may be about something else."""
TIED: Final = 0.9
"""Sentences that cover this much of what the best one covers speak too."""
FAINT: Final = 0.35
"""Share from which a sentence is near enough for its numbers and names to count."""
CLOSE: Final = 0.62
"""Share from which a negation in a sentence's main clause speaks against a claim without one."""
_EXCEPTION = re.compile(
    r"\b(?:unless|except(?!\s+that\b)(?:\s+for|\s+when|\s+if|\s+in)?|other\s+than|but\s+not(?:\s+for)?)\s+([^.;,()]+)", re.I
)
_DENIAL = re.compile(
    r"\b(?:(instead\s+of|rather\s+than)|(?:not|never|cannot)(?!\s+(?:only|just|merely|necessarily|yet))|\w+n['’]t)\b", re.I
)
_OPPOSITES: Final = (
    ("first", "last"), ("true", "false"), ("enabled", "disabled"), ("always", "never"), ("minimum", "maximum"), ("least", "most"),
    ("oldest", "newest"), ("earliest", "latest"), ("ascending", "descending"), ("warm", "cold"), ("allowed", "forbidden"),
    ("optional", "required"), ("positional", "keyword"), ("mutable", "immutable"), ("synchronous", "asynchronous"),
)  # fmt: skip
"""Words of which only one can hold. Converses are left out: before and after may say the same of two things turned round."""
OPPOSED: Final = 0.55
"""Share of a claim that a sentence must cover for an opposite word in it to count."""
SAID: Final = 0.7
"""Share of a claim's words, its names left out, that a sentence under another name must hold to say it of that."""
OWN: Final = 0.75
"""Share of that which a sentence under the claim's own name may hold at most."""
MIN_SAID: Final = 3
_MAIN_NEGATION = re.compile(
    r"^(?:(?:by\s+default|note\s+that|in\s+\w+|if\s[^,]*|when\s[^,]*)\s*,?\s*)?"
    r"(?:(?!\b(?:if|when|that|which|who|because|unless|whether|while|but|and|or|so)\b)[^,.;])*?"
    r"(?:\b(?:not|never|cannot|no)\b|n['’]t\b)",
    re.I,
)


def reason(claim: str, nearest: Sequence[Weighed], all_units: Sequence[Unit], everything: str) -> str:
    """Return what speaks against the claim, the surest kind first; an empty string where nothing does."""
    best = nearest[0].cover
    heard = [w.unit for w in nearest if w.cover >= FAINT]
    found = _foreign(claim, fold(everything).text) or _other_unit(claim, heard, everything) or defaults.another(claim, all_units)
    found = found or _other_row(claim, all_units) or _denied(claim, nearest)
    speaking = [w for w in nearest if w.cover >= max(best * TIED, NEAR)]
    if found or not speaking:
        return found
    near = [w.unit for w in speaking]
    found = _other_number(claim, near) or _other_name(claim, heard) or defaults.other(claim, near) or _exception(claim, near)
    found = found or _of_another(claim, all_units)
    return found or next((r for w in speaking if (r := _other_sign(claim, w.unit, w.cover) or _opposite(claim, w))), "")


def _denied(claim: str, nearest: Sequence[Weighed]) -> str:
    """Find that the nearest prose denies of the claim's subject what the claim affirms of it."""
    prose = [w for w in nearest if w.unit.kind != "code"]
    if not prose or list(denials(claim)) or _turned(claim):
        return ""
    content = frozenset(s for s in stems(claim) if s not in EMPTY)
    near = (w for w in prose if w.cover >= max(FAINT, TIED * prose[0].cover))
    return "the page negates what the claim affirms" if any(_subject_denied(content, w.unit.text) for w in near) else ""


def _other_row(claim: str, all_units: Sequence[Unit]) -> str:
    """Find that a table says it in another row than the one that the claim names by its first cell."""
    content = {s for s in stems(claim) if s not in EMPTY}
    rows: dict[str, list[tuple[frozenset[str], Unit]]] = {}
    for unit in all_units:
        if unit.kind == "table" and unit.under:
            rows.setdefault(unit.block, []).append((frozenset(stems(unit.under)), unit))
    for table in rows.values():
        named = [(key, u) for key, u in table if key and key <= content]
        if len(named) != 1:
            continue
        (key, own) = named[0]
        said = content - key
        for other, unit in table:
            mine, theirs = said & own.stems, said & (unit.stems - other)
            if unit is not own and not other & content and mine < theirs and len(theirs) >= 2:
                return f"the table says it of {unit.under}, not of {own.under}"
    return ""


def _foreign(claim: str, pool: str) -> str:
    """Find a number or a name of the claim that stands nowhere on the page."""
    held = {v for v, _ in numbers(pool)}
    for value, _ in numbers(claim):
        if value not in held:
            return f"the number {value:g} stands nowhere on the page"
    for name in names(claim):
        if not _has(pool, name):
            return f"the name {name} stands nowhere on the page"
    return ""


def _has(pool: str, name: str) -> bool:
    bare = fold(name).text
    last = re.split(r"[.:]+", bare)[-1]
    return any(re.search(rf"(?<!\w){re.escape(n)}(?!\w)", pool) for n in (bare, last) if n)


def _other_unit(claim: str, heard: Sequence[Unit], everything: str) -> str:
    """Find a number of the claim that the page never has with that unit, where a near sentence has another one with it."""
    held = set(numbers(everything))
    for value, unit in numbers(claim):
        rivals = {v for u in heard for v, kind in numbers(u.text) if kind == unit}
        if unit and rivals and (value, unit) not in held:
            return f"{value:g} {unit}: the page says {min(rivals):g}"
    return ""


def _other_number(claim: str, speaking: Sequence[Unit]) -> str:
    """Find a number of the claim that the nearest sentences, which have numbers, do not have."""
    told = {v for u in speaking for v, _ in numbers(u.text)}
    around = {v for u in speaking for v, _ in numbers(u.above)} | told
    for value, _ in numbers(claim):
        if value not in around and told:
            return f"the number {value:g} does not stand where the page speaks of it"
    return ""


def _other_name(claim: str, heard: Sequence[Unit]) -> str:
    """Find a name of the claim that the near sentences replace by others."""
    text = fold("\n".join(u.text + "\n" + u.above for u in heard)).text
    own = {fold(n).text for n in names(claim)}
    others = {n for u in heard for n in names(u.text) if fold(n).text not in own}
    for name in names(claim):
        if not _has(text, name) and others:
            return f"the page speaks of {min(others)}, not of {name}"
    return ""


def _exception(claim: str, speaking: Sequence[Unit]) -> str:
    """Find an exception of the page that the claim falls under."""
    content = {s for s in stems(claim) if s not in EMPTY}
    if _EXCEPTION.search(claim):
        return ""
    for unit in speaking:
        for match in _EXCEPTION.finditer(unit.text):
            scope = [s for s in stems(match.group(1)) if s not in EMPTY][:4]
            if scope and len(set(scope) & content) * 2 >= len(scope):
                return f"the page excepts this: {' '.join(match.group().split())[:60]}"
    return ""


def _other_sign(claim: str, unit: Unit, cover: float) -> str:
    """Find a negation that one side has and the other has not, over words that both share, or in the main clause of a close sentence."""
    mine, theirs = list(denials(claim)), list(denials(unit.text))
    content = frozenset(s for s in stems(claim) if s not in EMPTY)
    if theirs and not mine and not _turned(claim):
        if cover >= CLOSE and _MAIN_NEGATION.match(unit.text):
            return "the page negates what the claim affirms"
        for scope in theirs:
            governed = scope - EMPTY
            if governed and len(governed & content) * 3 >= len(governed):
                return "the page negates what the claim affirms"
    if mine and not theirs and not _turned(unit.text):
        for scope in mine:
            governed = scope - EMPTY
            if governed and len(governed & unit.stems) * 2 > len(governed):
                return "the claim negates what the page affirms"
    return ""


def _subject_denied(claim_stems: frozenset[str], text: str) -> bool:
    """Say whether a clause denies of the claim's subject the verb that the claim affirms: `is not killed`, `instead of raising`."""
    for match in _DENIAL.finditer(text):
        clause = re.split(r"[.;:!?()]|,\s", text[: match.start()])[-1]
        after = [s for s in stems(text[match.end() :][:60]) if s not in EMPTY]
        if match.group(1):
            if len(after) > 1 and set(after[:2]) <= claim_stems:
                return True
            continue
        subject = [s for s in stems(clause) if s not in EMPTY][-3:]
        if after and subject and after[0] in claim_stems and len(set(subject) & claim_stems) * 2 >= len(set(subject)):
            return True
    return False


def _opposite(claim: str, said: Weighed) -> str:
    """Find a word of the claim whose opposite stands in a close sentence that has the rest."""
    if said.cover < OPPOSED or list(denials(claim)) or list(denials(said.unit.text)):
        return ""
    mine, theirs = set(re.findall(r"[a-z]+", claim.lower())), set(re.findall(r"[a-z]+", said.unit.text.lower()))
    for pair in _OPPOSITES:
        for one, other in (pair, pair[::-1]):
            if one in mine and other in theirs and one not in theirs and other not in mine:
                return f"the page says {other}, not {one}"
    return ""


def _of_another(claim: str, all_units: Sequence[Unit]) -> str:
    """Find that the page says this under another name than the claim's, which it defines too."""
    said = {_bare(n) for n in names(claim)} & {_bare(u.under) for u in all_units}
    if not said:
        return ""
    wanted = {s for s in stems(re.sub(r"[`()]", " ", claim)) if s not in EMPTY} - {s for n in names(claim) for s in stems(n)}
    if len(wanted) < MIN_SAID:
        return ""
    shares = [(len(wanted & u.stems) / len(wanted), u) for u in all_units if u.kind != "code"]
    share, best = max(shares, key=lambda pair: pair[0])
    own = max((s for s, u in shares if _bare(u.under) in said or any(_has(fold(u.text).text, n) for n in said)), default=0.0)
    text = fold(best.text + "\n" + best.above).text
    if share < SAID or own >= OWN * share or any(_has(text, n) for n in said):
        return ""
    other = _bare(best.under)
    return f"the page says it of {other}" if other in {_bare(n) for n in names(best.under)} else ""


def _bare(name: str) -> str:
    """Return a name without its owner, arguments and placeholders."""
    return re.split(r"[.:]+(?=\w)", re.split(r"[\s(=\[<]", fold(name).text.strip(), maxsplit=1)[0])[-1]


def _turned(text: str) -> bool:
    """Say whether a text denies in other words than a negation."""
    return bool(
        re.search(
            r"\b(?:instead|rather|disabl\w*|off|only|except|unless|even|without|until|before|ignor\w*|skip\w*|lack\w*)\b"
            r"|\b(?:in|un|non-?)[a-z]{5,}(?:ly|able|ible|ed|ive)\b|-insensitive",
            text,
            re.I,
        )
        or meaning.NEGATION_SIGNS.search(text)
    )
