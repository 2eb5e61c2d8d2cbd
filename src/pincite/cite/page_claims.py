"""Does a page carry a claim? Judged by numbers, names and negations of the sentences that come nearest to it, without a model.

In: a claim, the documents to judge it by, an anchor inside them. Out: `Judgement`: failed with a reason, lexical, or unchecked. A claim
in quotation marks is a quote and is judged as one.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pincite.cite import meaning
from pincite.cite.claims import LEXICAL, Judgement
from pincite.cite.facts import denials, names, numbers, stems
from pincite.cite.fold import CJK, fold
from pincite.cite.haystack import Haystacks
from pincite.cite.locate import locate
from pincite.sentences import sentences
from pincite.types import Document, Span

NEAR: Final = 0.42
"""Share of a claim's weight that a sentence must cover to speak against it; below, the page may be about something else."""
TIED: Final = 0.9
"""Sentences that cover this much of what the best one covers speak too."""
FAINT: Final = 0.35
"""Share from which a sentence is near enough for its numbers and names to count."""
CLOSE: Final = 0.62
"""Share from which a negation in a sentence's main clause speaks against a claim without one."""
ELSEWHERE: Final = 0.8
"""What a sentence outside the named section counts."""
SHOWN: Final = 6
"""Nearest sentences that a judge is shown, each with what stands above it."""
_QUOTED = re.compile(r'^\s*["“„«「](.+)["”“»」]\s*\.?\s*$', re.S)
_DEFAULT = re.compile(
    r"([\w.+-]+)\s+\((?:the\s+)?default\b|\bdefaults?\s+(?:is|to|are|of)\s+(?:now\s+|the\s+|an?\s+)*([\w.+-]+)|\bdefault\s*[:=]\s*([\w.+-]+)"
    r"|\bdefault\s+(?:\w+\s+){1,2}(?:is|are)\s+(?:now\s+|the\s+|an?\s+)*([\w.+-]+)",
    re.I,
)
_EXCEPTION = re.compile(r"\b(?:unless|except(?:\s+for|\s+when|\s+if|\s+in)?|other\s+than|but\s+not(?:\s+for)?)\s+([^.;,()]+)", re.I)
_MAIN_NEGATION = re.compile(
    r"^(?:(?:by\s+default|note\s+that|in\s+\w+|if\s[^,]*|when\s[^,]*)\s*,?\s*)?"
    r"(?:(?!\b(?:if|when|that|which|who|because|unless|whether|while|but|and|or|so)\b)[^,.;])*?"
    r"(?:\b(?:not|never|cannot|no)\b|n['’]t\b)",
    re.I,
)
_EMPTY = frozenset(
    stems(
        "the a an and or of to in on at by for with from as is are was be been it its this that these those which who"
        " when if then not no do does will can may"
    )
)


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence of a page, with what stands above it: headings, the term or sentence that leads in."""

    text: str
    above: str
    stems: frozenset[str]
    framed: frozenset[str]
    inside: bool


@dataclass(frozen=True, slots=True)
class Weighed:
    """A unit and how much of the claim it covers."""

    unit: Unit
    cover: float


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
    units = [u for d in documents for u in _units(d, anchor)]
    if not units:
        return Judgement("unchecked", "the page has no sentences")
    everything = "\n".join(d.visible(Span(0, len(d.text))) for d in documents)
    return _against(claim, _nearest(claim, units), everything)


def _units(document: Document, anchor: str | None) -> list[Unit]:
    inside = {s.index for s in document.sections if anchor and s.anchor == anchor}
    changed = True
    while changed:
        more = {s.index for s in document.sections if s.parent in inside} - inside
        inside |= more
        changed = bool(more)
    by_id = {b.id: b for b in document.blocks}
    term, term_section = "", -1
    units: list[Unit] = []
    for block in document.blocks:
        if block.kind in ("front_matter", "heading"):
            continue
        text = document.visible(block.span)
        if block.kind == "term":
            term, term_section = text, block.section
        lead = by_id.get(block.lead or "")
        above = "\n".join(
            (
                document.title,
                *document.sections[block.section].path,
                term if block.section == term_section else "",
                document.visible(lead.span) if lead else "",
            )
        )
        framed = frozenset(stems(above))
        within = block.section in inside or (anchor is not None and block.anchor == anchor)
        cuts = [text] if block.kind in ("code", "table") else [c.of(text) for c in sentences(text)]
        for i, cut in enumerate(cuts):
            before = cuts[i - 1] if i else ""
            units.append(Unit(cut, above + "\n" + before, frozenset(stems(cut)), framed, within))
    return units


def _nearest(claim: str, units: Sequence[Unit]) -> list[Weighed]:
    """Return the units by how much of the claim's weight they cover, most first."""
    wanted = [s for s in dict.fromkeys(stems(claim)) if s not in _EMPTY and not s.isdigit()]
    counts = Counter(s for u in units for s in u.stems)
    weight = {s: math.log(1 + len(units) / (0.5 + counts[s])) if counts[s] else 1.0 for s in wanted}
    total = sum(weight.values()) or 1.0
    weighed = []
    for unit in units:
        own = sum(w for s, w in weight.items() if s in unit.stems)
        framed = sum(w for s, w in weight.items() if s in unit.framed and s not in unit.stems)
        cover = (own + 0.5 * framed) / total if own else 0.0
        weighed.append(Weighed(unit, cover * (1.0 if unit.inside else ELSEWHERE)))
    return sorted(weighed, key=lambda w: -w.cover)[:12]


def _against(claim: str, nearest: Sequence[Weighed], everything: str) -> Judgement:
    best = nearest[0].cover
    speaking = [w.unit for w in nearest if w.cover >= max(best * TIED, NEAR)]
    heard = [w.unit for w in nearest if w.cover >= FAINT]
    reason = _foreign(claim, fold(everything).text) or _other_unit(claim, heard, everything)
    if not reason and speaking:
        reason = (
            _other_number(claim, speaking) or _other_name(claim, heard) or _other_default(claim, speaking) or _exception(claim, speaking)
        )
        reason = reason or next((r for w in nearest if w.unit in speaking and (r := _other_sign(claim, w.unit, w.cover))), "")
    if reason:
        return Judgement("failed", reason)
    shown = tuple(f"{w.unit.above.strip()}\n{w.unit.text}" for w in nearest[:SHOWN])
    if CJK.search(claim) and not CJK.search(everything):
        return Judgement("unchecked", "another language than the page", shown)
    return Judgement("lexical" if best >= LEXICAL else "unchecked", heard=shown)


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


def _other_default(claim: str, speaking: Sequence[Unit]) -> str:
    """Find a default value that the nearest sentence names and the claim, which speaks of the default, does not."""
    if not re.search(r"default", claim, re.I):
        return ""
    mine, values = set(stems(claim)), {v for v, _ in numbers(claim)}
    for unit in speaking:
        told = {m.group(m.lastindex or 0) for m in _DEFAULT.finditer(unit.text)}
        told = {t for t in told if set(stems(t)) - _EMPTY}
        if told and not any(set(stems(t)) & mine or {v for v, _ in numbers(t)} & values for t in told):
            return f"the page's default is {min(told)}"
    return ""


def _exception(claim: str, speaking: Sequence[Unit]) -> str:
    """Find an exception of the page that the claim falls under."""
    content = {s for s in stems(claim) if s not in _EMPTY}
    if _EXCEPTION.search(claim):
        return ""
    for unit in speaking:
        for match in _EXCEPTION.finditer(unit.text):
            scope = [s for s in stems(match.group(1)) if s not in _EMPTY][:4]
            if scope and len(set(scope) & content) * 2 >= len(scope):
                return f"the page excepts this: {' '.join(match.group().split())[:60]}"
    return ""


def _other_sign(claim: str, unit: Unit, cover: float) -> str:
    """Find a negation that one side has and the other has not, over words that both share, or in the main clause of a close sentence."""
    mine, theirs = list(denials(claim)), list(denials(unit.text))
    content = frozenset(s for s in stems(claim) if s not in _EMPTY)
    if theirs and not mine and not _turned(claim):
        if cover >= CLOSE and _MAIN_NEGATION.match(unit.text):
            return "the page negates what the claim affirms"
        for scope in theirs:
            governed = scope - _EMPTY
            if governed and len(governed & content) * 3 >= len(governed):
                return "the page negates what the claim affirms"
    if mine and not theirs and not _turned(unit.text):
        for scope in mine:
            governed = scope - _EMPTY
            if governed and len(governed & unit.stems) * 2 > len(governed):
                return "the claim negates what the page affirms"
    return ""


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
