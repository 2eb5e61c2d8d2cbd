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
from pincite.cite.shuffled import shuffled
from pincite.sentences import sentences


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


NEARLY: Final = 0.6
"""Share of a sentence's words that must stand in its quote, in order, for the rest to be changes."""
NEARLY_HAN: Final = 0.85
"""The same of Han and kana, which are compared one by one."""
MOST_WORDS: Final = 60
FOREIGN: Final = 0.5
"""Share of a sentence's words that its quotes and what stands around them do not have, from which it says something of its own."""
HARDLY: Final = 0.2
"""A sentence of which less than this share stands in the text around its quotes is about something else."""
_SLIGHT: Final = LIGHT | _set(
    "to of in on at for by with as so also then thus here there into from you your we our they them he she i which who what how"
    " der die das den dem des ein eine und le la les un une et el los las y de du"
)
_EMPTY: Final = _set("yes no yeah ok okay sure correct true false indeed exactly right ja nein oui non sí none 是 はい いいえ 네")
_WHENS: Final = frozenset(s for w in ("if", "when", "whenever", "once") for s in stems(w))
_SOFT = re.compile(
    r"^(?:un|non|dis)\w{3,}|less$|^(?:off|without|avoid|prevent|forbid|forbidden|prohibit|refus|reject|fail|lack|miss|except|only|unless|instead"
    r"|rather|until|stop|skip|ignor|omit|bypass|exclud|deny|denies|denied|impossible|invalid|illegal|neither)",
)
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
_CLAUSE = re.compile(r"\b(?:but\s+only|only\s+(?:if|when)|unless|except|if|when|provided\s+that|until)\b(.*)$", re.I | re.S)


def reason(sentence: str, quotes: Sequence[str], around: str, question: str = "") -> str:
    """Return what the sentence turns of its quotes, the surest kind first; an empty string where a machine finds nothing."""
    told = "\n".join(quotes)
    if not {w.word for w in _words(sentence) if w.word.isalnum()} - _EMPTY:
        return "it says nothing that a quote could carry"
    if found := _units(sentence, told) or _bounds(sentence, told) or _modals(sentence, told) or _assigned(sentence, around):
        return found
    held, asked = frozenset(stems(around)), frozenset(stems(question))
    quoted = [part.of(quote) for quote in quotes for part in sentences(quote)]
    pairs = [(_words(text), text) for text in quoted]
    for cut in sentences(sentence):
        said = cut.of(sentence)
        mine = _words(said)
        if not mine or not pairs or len(mine) > MOST_WORDS:
            continue
        theirs, text = max(pairs, key=lambda pair: len({w.stem for w in mine} & {w.stem for w in pair[0]}))
        if found := shuffled(mine, theirs, said, text) or _compared(mine, theirs, held | asked) or _unbound(mine, theirs, quotes):
            return found
    return _elsewhere(sentence, around, held, asked)


def _words(text: str) -> tuple[Word, ...]:
    """Return the words that mean something, in order; Han characters one by one."""
    words = tokens(re.sub(r"(?<=\d),(?=\d{3})", "", fold(text).text)).words
    return tuple(Word(word, stem) for word in words if word not in _SLIGHT for stem in stems(word) or (word,))


def _turning(word: str) -> bool:
    return meaning.turns(word) or word in _BINDING


def _compared(mine: tuple[Word, ...], theirs: tuple[Word, ...], held: frozenset[str]) -> str:
    """Compare a sentence with the one that it is nearest to."""
    said, told = [w.stem for w in mine], [w.stem for w in theirs[: MOST_WORDS * 2]]
    matcher = SequenceMatcher(None, said, told, autojunk=False)
    same = sum(block.size for block in matcher.get_matching_blocks())
    han = CJK.search("".join(said)) is not None
    near = {stem[:4] for stem in (*held, *told) if len(stem) > 3}
    foreign = [w for w in mine if w.stem.isalpha() and w.stem not in held and w.stem[:4] not in near and not _turning(w.word)]
    if len(foreign) >= 2 and len(foreign) >= FOREIGN * len(mine) and same < len(told) and not han:
        return f"it says more than its quotes: {', '.join(w.word for w in foreign[:3])}"
    if same < 2 or (same < (NEARLY_HAN if han else NEARLY) * len(said) and same < NEARLY * len(told)):
        return ""
    if not han and (negated := _negated(mine, theirs)):
        return negated
    new: list[Word] = []
    put_in = 0
    for op, i1, i2, j1, j2 in matcher.get_opcodes():
        if op not in ("replace", "delete"):
            continue
        put, gone = mine[i1:i2], theirs[j1:j2]
        if swapped := _swap(put, gone, said, told):
            return swapped
        if op == "delete":
            put_in += sum(w in foreign for w in put)
        new += [w for w in put if w in foreign]
        widened = [w.word for w in put if w.word in _WIDENING and w.stem not in told]
        if widened and not {w.word for w in gone} & _WIDENING and not (widened == ["always"] and "all" in told):
            return f"it adds {widened[0]}"
    adverbs = [w for w in new if w.word.endswith("ly") and len(w.word) > 5]
    if len(new) >= (max(9, len(said) // 2) if han else 3) or adverbs or (put_in >= 2 and not han):
        return f"it says more than its quotes: {', '.join(w.word for w in adverbs[:1] or new[:3])}"
    return ""


def _swap(put: Sequence[Word], gone: Sequence[Word], said: Sequence[str], told: Sequence[str]) -> str:
    """Find a word that stands in another's place; words that only bind are left out where the two sides differ in number."""
    if len(put) != len(gone):
        put, gone = ([w for w in side if w.word not in _BINDING and w.word != "but"] for side in (put, gone))
    if len(put) == 1 and len(gone) == 2:
        changed = all(_swapped(put[0].stem, other.stem, said, told) for other in gone)
        return f"it says {put[0].word} where the quoted text says {gone[0].word}" if changed else ""
    if len(put) != len(gone) or len(put) > 3:
        return ""
    for one, other in zip(put, gone, strict=True):
        if _swapped(one.stem, other.stem, said, told):
            return f"it says {one.word} where the quoted text says {other.word}"
    return ""


def _swapped(one: str, other: str, said: Sequence[str], told: Sequence[str]) -> bool:
    """Say whether two stems are neither the same word in another form nor moved from elsewhere."""
    if (
        one == other
        or other in said
        or one[:1].isdigit()
        or other[:1].isdigit()
        or {one, other} <= _WHENS
        or {one, other} <= meaning.MODALS
    ):
        return False
    if one in told and not _stays(one, other, said, told):
        return False
    if CJK.search(one + other) or meaning.is_negation(one) or meaning.is_negation(other):
        return bool(CJK.search(one) and CJK.search(other))
    return not (len(one) > 3 and one[:4] == other[:4])


def _stays(one: str, other: str, said: Sequence[str], told: Sequence[str]) -> bool:
    """Say whether both words stand between the same neighbours, so that the one was put there and did not move there."""
    i, j = said.index(one), told.index(other)
    before = i > 0 and j > 0 and said[i - 1] == told[j - 1]
    after = i + 1 < len(said) and j + 1 < len(told) and said[i + 1] == told[j + 1]
    return before and after


def _negated(mine: Sequence[Word], theirs: Sequence[Word]) -> str:
    """Find a negation that one of two sentences has that are the same but for it; a word that negates by itself makes up for one."""
    mine_not, theirs_not = ([w for w in side if meaning.is_negation(w.word) or w.word.endswith("n't")] for side in (mine, theirs))
    if bool(mine_not) is bool(theirs_not):
        return ""
    said, told = {w.stem for w in mine}, {w.stem for w in theirs}
    if any(_SOFT.search(w.word) for w in (*mine, *theirs) if w.stem not in said & told):
        return ""
    return "the sentence negates what its quote does not" if mine_not else "its quote negates what the sentence affirms"


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
    mine = {m.group("number").strip(".,").replace(",", ""): m.start("upper") >= 0 for m in _BOUND.finditer(sentence)}
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
    if len(content) < 2 or CJK.search(sentence) or CJK.search(around) or language_of(sentence) != language_of(around):
        return ""
    share = len(content & held) / len(content)
    return "hardly a word of it stands in the quoted text" if share <= (HARDLY if len(content) > 2 else 0) else ""
