"""Expressions of several words, read as the one word that documentation has for each.

In: the words of a question, in order. Out: which of them stand together, and for what. A verb and its particle may have words between
them; verbs are known in all their forms. The list is in `vocabulary`. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite.index.vocabulary import EXPRESSIONS

GAP = 3
"""Words that may stand between a verb and its particle: `turn the old cache off`."""
PARTICLES = frozenset(("on", "off", "out", "up", "down", "away", "back", "aside", "over", "apart", "together", "from"))
FORMS = """
    go went gone going / take took taken taking / give gave given giving / put putting / keep kept / leave left leaving / bring brought
    / run ran running / come came coming / throw threw thrown / get got gotten getting / make made making / break broke broken
    / fall fell fallen / find found / tell told / hold held / shut shutting / cut cutting / set setting / write wrote written writing
    / build built / lose lost losing / send sent / stand stood / stick stuck / wake woke woken waking / deal dealt / hang hung
    / spell spelt / stem stemmed stemming / plug plugged plugging / log logged logging / rip ripped ripping / sum summed
    / wrap wrapped wrapping / jot jotted / let letting / cope coping / type typing / rely relied relies / tidy tidied tidies
    / stop stopped stopping
    """
"""Verbs with those of their forms that are not made by adding s, ed or ing; `/` stands between verbs."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """An expression: the places of its words in the question, and the word that it stands for."""

    places: tuple[int, ...]
    word: str


Entries = tuple[tuple[tuple[str, ...], str], ...]
"""Of the expressions that begin with a word, the longest first: their further words, and what each stands for."""


@lru_cache(maxsize=1)
def _table() -> dict[str, Entries]:
    found: dict[str, Entries] = {}
    for entry in EXPRESSIONS.split("/"):
        phrase, _, word = entry.partition(":")
        first, *rest = phrase.split()
        entries = (*found.get(first, ()), (tuple(rest), word.strip()))
        found[first] = tuple(sorted(entries, key=lambda one: -len(one[0])))
    return found


@lru_cache(maxsize=1)
def _begun() -> dict[str, Entries]:
    """Return the same by every form of the first word."""
    table = _table()
    found = {form: entries for first, entries in table.items() for form in (first + "s", first + "ed", first + "ing")}
    for group in FORMS.split("/"):
        base, *forms = group.split()
        found |= dict.fromkeys(forms, table.get(base, ()))
    return found | table


def spoken(words: Sequence[str]) -> Iterator[Spoken]:
    """Yield the expressions of a question, each of its words in one of them at most; words come as written."""
    begun, lower = _begun(), [word.lower() for word in words]
    taken: set[int] = set()
    for at, word in enumerate(lower):
        if at in taken:
            continue
        if "-" in word and (whole := _whole(word.split("-"))):
            yield Spoken((at,), whole)
        elif word in begun and (found := _from(begun[word], lower, at, taken)):
            taken.update(found.places)
            yield found


def _whole(parts: Sequence[str]) -> str | None:
    """Return what an expression stands for that is written with hyphens."""
    return next((word for rest, word in _table().get(parts[0], ()) if list(rest) == parts[1:]), None)


def _from(entries: Entries, words: Sequence[str], at: int, taken: set[int]) -> Spoken | None:
    for rest, word in entries:
        run = tuple(range(at, at + len(rest) + 1))
        if tuple(words[at + 1 : at + 1 + len(rest)]) == rest and taken.isdisjoint(run):
            return Spoken(run, word)
        if len(rest) == 1 and rest[0] in PARTICLES:
            between = words[at + 2 : at + 2 + GAP]
            if rest[0] in between and (place := at + 2 + between.index(rest[0])) not in taken:
                return Spoken((at, place), word)
    return None
