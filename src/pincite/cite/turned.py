"""Is a sentence its quote with something turned: a word for another, a unit, a bound, a modal, a condition left out, a claim put on?

In: a sentence, the quotes that it stands on, the text around them. Out: a reason, or an empty string. Only a sentence that is nearly its
quote is compared word by word: there a difference is a change, while a paraphrase differs everywhere and is left to a judge. A true
sentence with a synonym may be refused; it is asked for once more, and a false one would be printed under a real note.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Final

from pincite.cite import meaning
from pincite.cite.carried import LIGHT, Word
from pincite.cite.facts import numbers, stems
from pincite.cite.fold import CJK, fold
from pincite.cite.haystack import tokens
from pincite.cite.labels import language_of
from pincite.sentences import sentences


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


NEARLY: Final = 0.6
"""Share of a sentence's words that must stand in its quote, in order, for the rest to be changes."""
MOST_WORDS: Final = 60
HARDLY: Final = 0.2
"""A sentence of which less than this share stands in the text around its quotes is about something else."""
_SLIGHT: Final = LIGHT | _set(
    "to of in on at for by with as so also then thus here there into from you your we our they them he she i which who what how"
    " der die das den dem des ein eine und le la les un une et el los las y de du"
)
_EMPTY: Final = _set("yes no yeah ok okay sure correct true false indeed exactly right ja nein oui non sí none 是 はい いいえ 네")
_JOINING: Final = _set("before after while when if until unless since once as than")
_BINDING: Final = _set("only unless except if when whenever until provided solely exclusively wenn falls sofern si sauf cuando salvo")
_WIDENING: Final = _set("only always all every any never solely exclusively everybody everyone anyone anybody")
_UNITS: Final = {
    word: number
    for number, group in enumerate(
        (
            "millisecond milliseconds ms 毫秒 ミリ秒 밀리초",
            "second seconds sec secs 秒 초 sekunde sekunden",
            "minute minutes min mins minuten minutos 分 分钟 분",
            "hour hours h stunde stunden heure heures hora horas 小时 時間 시간",
            "day days tag tage tagen jour jours día días 天 日 일",
            "week weeks woche wochen semaine semaines semana semanas 周 週間 주",
            "month months monat monate monaten mois mes meses 月 か月 개월",
            "year years jahr jahre jahren an ans año años 年 년",
            "byte bytes",
            "kb kib kilobytes",
            "mb mib megabytes",
            "gb gib gigabytes",
            "tb tib terabytes",
            "percent prozent",
            "points",
            "m metre metres meter meters",
            "km kilometre kilometres kilometer kilometers",
            "cm",
            "mm",
            "kg",
            "g",
            "mg",
            "euro euros",
            "dollar dollars",
        )
    )
    for word in group.split()
}
_UNIT_OF: Final = {stem: number for word, number in _UNITS.items() for stem in (*stems(word), word)}
_MODALS: Final = (
    re.compile(
        r"\b(?:must|shall|requires?|required|mandatory|needs?|(?:has|have)\s+to|cannot|can['’]t|may\s+not|not\s+allowed|never)\b", re.I
    ),
    re.compile(r"\b(?:should|ought|recommended|advisable|advised|better)\b", re.I),
    re.compile(r"\b(?:may|can|could|might|optional(?:ly)?|allowed|permitted|possible|able|lets?|allows?)\b", re.I),
)
_UPPER = (
    r"at\s+most|up\s+to|no\s+(?:more|longer|later)\s+than|not\s+more\s+than|(?:less|fewer)\s+than|under|below|within|max(?:imum)?"
    r"|limit\w*"
)
_LOWER = r"at\s+least|no\s+(?:less|fewer)\s+than|(?:more|longer|older|larger)\s+than|over|above|from|min(?:imum)?|exceed\w*"
_BOUND = re.compile(
    rf"(?:(?P<upper>\b(?:{_UPPER})|[<≤]=?)|(?P<lower>\b(?:{_LOWER})|[>≥]=?))\s*(?:of\s+|than\s+)?[€$£]?(?P<number>\d[\d,.]*)", re.I
)
_ASSIGNED = re.compile(r"\b([A-Za-z_][\w.-]*)\s*=\s*[\"'`]?([\w.-]+)")
_BY = re.compile(r"\b(?:by|von|durch|par|por)\b", re.I)
_CLAUSE = re.compile(r"\b(?:but\s+only|only\s+(?:if|when)|unless|except|if|when|provided\s+that|until)\b(.*)$", re.I | re.S)


def reason(sentence: str, quotes: Sequence[str], around: str, question: str = "") -> str:
    """Return what the sentence turns of its quotes, the surest kind first; an empty string where a machine finds nothing."""
    told = "\n".join(quotes)
    if not {w.word for w in _words(sentence) if w.word.isalnum()} - _EMPTY:
        return "it says nothing that a quote could carry"
    if found := _units(sentence, told) or _bounds(sentence, told) or _modals(sentence, told) or _assigned(sentence, around):
        return found
    held = frozenset(stems(around))
    passive = bool(_BY.search(sentence)) is not bool(_BY.search(told))
    for cut in sentences(sentence):
        mine = _words(cut.of(sentence))
        pairs = [_words(part.of(quote)) for quote in quotes for part in sentences(quote)]
        if not mine or not pairs or len(mine) > MOST_WORDS:
            continue
        theirs = max(pairs, key=lambda other: len({w.stem for w in mine} & {w.stem for w in other}))
        if found := ("" if passive else _reversed(mine, theirs)) or _compared(mine, theirs, held) or _unbound(mine, theirs, quotes):
            return found
    return _elsewhere(sentence, around, held, frozenset(stems(question)))


def _words(text: str) -> tuple[Word, ...]:
    """Return the words that mean something, in order; Han characters one by one."""
    words = tokens(re.sub(r"(?<=\d),(?=\d{3})", "", fold(text).text)).words
    return tuple(Word(word, stem) for word in words if word not in _SLIGHT for stem in stems(word) or (word,))


def _compared(mine: tuple[Word, ...], theirs: tuple[Word, ...], held: frozenset[str]) -> str:
    """Compare a sentence with the one that it is nearest to."""
    said, told = [w.stem for w in mine], [w.stem for w in theirs[: MOST_WORDS * 2]]
    matcher = SequenceMatcher(None, said, told, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    han = CJK.search("".join(said)) is not None
    if same < 2 or (same < (0.75 if han else NEARLY) * len(said) and same < NEARLY * len(told)):
        return ""
    new: list[Word] = []
    for op, i1, i2, j1, j2 in matcher.get_opcodes():
        if op not in ("replace", "delete"):
            continue
        put, gone = mine[i1:i2], theirs[j1:j2]
        if swapped := _swap(put, gone, said, told):
            return swapped
        new += [w for w in put if w.stem not in held and w.stem not in told and w.stem.isalpha()]
        widened = [w.word for w in put if w.word in _WIDENING and w.stem not in told]
        if widened and not {w.word for w in theirs if w.stem not in said} & _WIDENING:
            return f"it adds {widened[0]}"
    adverbs = [w for w in new if w.word.endswith("ly") and len(w.word) > 5]
    if len(new) >= (9 if han else 3) or adverbs:
        return f"it says more than its quotes: {', '.join(w.word for w in adverbs[:1] or new[:3])}"
    return ""


def _swap(put: Sequence[Word], gone: Sequence[Word], said: Sequence[str], told: Sequence[str]) -> str:
    """Find a word that stands in another's place; words that only bind are left out where the two sides differ in number."""
    if len(put) != len(gone):
        put, gone = ([w for w in side if w.word not in _BINDING and w.word != "but"] for side in (put, gone))
    if len(put) != len(gone) or len(put) > 3:
        return ""
    for one, other in zip(put, gone, strict=True):
        if _swapped(one.stem, other.stem, said, told):
            return f"it says {one.word} where the quoted text says {other.word}"
    return ""


def _swapped(one: str, other: str, said: Sequence[str], told: Sequence[str]) -> bool:
    """Say whether two stems are neither the same word in another form nor moved from elsewhere."""
    if one == other or one in told or other in said or one[:1].isdigit() or other[:1].isdigit():
        return False
    if CJK.search(one + other) or meaning.is_negation(one) or meaning.is_negation(other):
        return bool(CJK.search(one) and CJK.search(other))
    return not (len(one) > 3 and one[:4] == other[:4])


def _reversed(mine: tuple[Word, ...], theirs: tuple[Word, ...]) -> str:
    """Find two words that changed places round a third: A waits for B, B waits for A. A passive is no such change."""
    said, told = [w.stem for w in mine], [w.stem for w in theirs]
    if len(set(said) & set(told)) < 0.8 * len(set(said)) or len(said) > 30 or CJK.search("".join(said)):
        return ""
    once = [w for w in mine if w.word not in _JOINING and said.count(w.stem) == 1 == told.count(w.stem)]
    at = {w.stem: told.index(w.stem) for w in once}
    for i, first in enumerate(once):
        for j in range(i + 2, len(once)):
            low, high = at[once[j].stem], at[first.stem]
            if low < high and any(low < at[w.stem] < high for w in once[i + 1 : j]):
                return f"{first.word} and {once[j].word} changed places"
    return ""


def _unbound(mine: tuple[Word, ...], theirs: tuple[Word, ...], quotes: Sequence[str]) -> str:
    """Find a condition of the quote of which the sentence, which is that quote without it, has not a word."""
    said, told = {w.stem for w in mine}, {w.stem for w in theirs}
    if {w.word for w in mine} & _BINDING or not {w.word for w in theirs} & _BINDING or len(said & told) < 0.7 * len(said):
        return ""
    for whole in (cut.of(quote) for quote in quotes for cut in sentences(quote)):
        clause = _CLAUSE.search(whole)
        if clause is None or _words(whole) != theirs:
            continue
        bound = {w.stem for w in _words(clause.group(1))} - {w.stem for w in _words(whole[: clause.start()])}
        if bound and not bound & said:
            return "it leaves out the condition of its quote"
    return ""


def _units(sentence: str, told: str) -> str:
    """Find a number that has another unit in the quotes."""
    held = list(_measured(told))
    for value, unit in _measured(sentence):
        units = {u for v, u in held if v == value}
        if units and unit not in units:
            return f"the number {value:g} has another unit in the quoted text"
    return ""


def _measured(text: str) -> Iterator[tuple[float, int]]:
    for value, unit in numbers(text):
        if unit in _UNIT_OF:
            yield value, _UNIT_OF[unit]
    for match in re.finditer(r"(\d+)\s*(毫秒|ミリ秒|小时|時間|分钟|か月|[秒分天日周月年])", text):
        yield float(match.group(1)), _UNITS[match.group(2)]


def _bounds(sentence: str, told: str) -> str:
    """Find a number whose bound the sentence leaves out or turns round."""
    mine = {m.group("number").strip(".,").replace(",", ""): m.lastgroup and m.start("upper") >= 0 for m in _BOUND.finditer(sentence)}
    stated = re.sub(r"(?<=\d),(?=\d{3})", "", sentence)
    for match in _BOUND.finditer(told):
        number, upper = match.group("number").strip(".,").replace(",", ""), match.start("upper") >= 0
        if number in mine and mine[number] is not upper:
            return f"the bound of {number} is turned round"
        if number in mine or not re.search(rf"(?<![\d.]){re.escape(number)}(?![\d.]*\d)", stated):
            continue
        if not re.search(rf"\b(?:{_UPPER if upper else _LOWER})", sentence, re.I) and not re.search("[<>≤≥]", sentence):
            return f"the bound of {number} is left out"
    return ""


def _modals(sentence: str, told: str) -> str:
    """Find a sentence that obliges, advises or allows where its quotes do another of the three."""
    mine = [bool(m.search(sentence)) for m in _MODALS]
    theirs = [bool(m.search(told)) for m in _MODALS]
    if any(mine) and any(theirs) and not any(a and b for a, b in zip(mine, theirs, strict=True)):
        return "the sentence has another modal than the quoted text"
    return ""


def _assigned(sentence: str, around: str) -> str:
    """Find a value that the quoted text gives to a name otherwise."""
    held: dict[str, set[str]] = {}
    for name, value in _ASSIGNED.findall(around):
        held.setdefault(name, set()).add(value.rstrip("."))
    for name, value in _ASSIGNED.findall(sentence):
        if name in held and value.rstrip(".") not in held[name]:
            return f"{name} has another value in the quoted text"
    return ""


def _elsewhere(sentence: str, around: str, held: frozenset[str], asked: frozenset[str]) -> str:
    """Find a sentence, in the language of its quotes, of which hardly a word but those of the question stands there."""
    content = {w.stem for w in _words(sentence) if len(w.stem) > 2 and w.stem.isalpha()} - asked
    if len(content) < 3 or CJK.search(sentence) or CJK.search(around) or language_of(sentence) != language_of(around):
        return ""
    return "hardly a word of it stands in the quoted text" if len(content & held) <= HARDLY * len(content) else ""
