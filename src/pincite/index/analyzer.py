"""Cuts texts and questions into the terms that are matched.

In: text. Out: terms. Identifiers count whole and split at camelCase, snake_case and dots; words are stemmed; Han, Kana and Hangul
run as bigrams; case and punctuation do not matter. Pure: no I/O, no setting.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import snowballstemmer

from pincite.index import phrases, synonyms

VERSION = f"2.{synonyms.VERSION}"
"""Changes whenever the same text would give other terms: indexes made by another version are built again."""

_CJK = (
    r"\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    r"\u1100-\u11ff\u3130-\u318f\uac00-\ud7af\U00020000-\U0003ffff"
)
_RUN = re.compile(rf"[{_CJK}]+|[^\W{_CJK}]+(?:(?:\.|::|->|-|#(?=\w))[^\W{_CJK}]+)*(?:\+\+|\#(?!\w))?")
_PLAIN_RUN = re.compile(r"\w+(?:(?:\.|::|->|-|#(?=\w))\w+)*(?:\+\+|\#(?!\w))?", re.ASCII)
"""The same for ASCII, twice as fast."""
_JOINT = re.compile(r"::|->|[.\-]|#(?=\w)")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\dA-Za-z_]+")
_COMPOUND = re.compile(r"[a-z]+(?:-[a-z]+)+")
"""Plain words with hyphens between them, whose parts mean what they mean alone."""
_IS_CJK = re.compile(rf"[{_CJK}]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")

STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        """
        a about after all also am an and any are aren as at be because been before being between both but by can cannot
        could couldn d did didn do does doesn doing don done each either else ever every few for from further get gets
        got had has hasn have haven having he hence her here hers him his how however i if in into is isn it its itself
        just let like ll m may me might mine more most much must my myself need no nor not now of off on once one only
        onto or other our ours out over own per please re s same shall she should shouldn since so some still such t
        than that the their theirs them then there these they this those through thus to too under until up upon us ve
        very want was wasn way we were weren what when where whether which while who whom whose why will with within
        without won would wouldn yet you your yours
        """,
    )
)
_CJK_STOPS = re.compile(
    "如何|怎么样|该怎么办|怎么办|该怎么|怎么|怎样|什么|哪一种|哪种|哪些|哪个|哪里|为什么|是否|能否|可以|可不可以|应该|需要|请问|有没有|是什么|的时候|"
    "我想|想要|不想|有什么办法|什么办法|有多少|多少|什么时候|何时|多久|几个|吗|呢|"
    "てほしい|てもよい|てもいい|という|どうやって|どうすれば|どのように|どうしたら|どう|どの|どこ|なぜ|なに|何を|何が|何|ですか|ますか|でしょうか|ください|するには|したい|する|いる|ある|べき|"
    "어떻게|몇|언제|누구|무엇|어디|왜|하나요|인가요|합니까|입니까|있나요"
)


_QUOTED = re.compile(r"`+([^`\n]+)`+|\"([^\"\n]{2,})\"|“([^”\n]{2,})”|「([^」\n]{2,})」")


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a question as written, with the terms it stands for. `stop` words count only where nothing else is left."""

    surface: str
    terms: tuple[str, ...]
    stop: bool = False
    identifier: bool = False
    likes: tuple[tuple[str, ...], ...] = ()
    """For each term the groups of words that mean much the same; none for the parts of an identifier."""
    spoken: bool = False
    """An expression: the first term is what it stands for, the others are its own words."""

    @property
    def run(self) -> bool:
        """Say whether the terms are the pairs of a run of Chinese, Japanese or Korean, none of which is the word."""
        return len(self.terms) > 1 and _IS_CJK.match(self.surface) is not None


class Analyzer:
    """Analyses texts; remembers the words it has seen, up to a bound."""

    def __init__(self, remembered: int = 200_000) -> None:
        self._stem = snowballstemmer.stemmer("english").stemWord
        self._seen: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
        self._asked: dict[tuple[str, bool, bool], Word] = {}
        self._remembered = remembered
        self._likes: synonyms.Table | None = None

    def terms(self, text: str) -> list[str]:
        """Return all terms of a text, in order, repeats included."""
        return self.both(text)[0]

    def both(self, text: str) -> tuple[list[str], list[str]]:
        """Return all terms of a text and the groups of synonyms that they belong to, in order, repeats included."""
        terms: list[str] = []
        likes: list[str] = []
        for run in runs(text):
            found = self.read(run)
            terms += found[0]
            if found[1]:
                likes += found[1]
        return terms, likes

    def read(self, run: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the terms of a run and the groups of synonyms that they belong to."""
        return self._seen.get(run) or self._learn(run)

    def likes(self, terms: Sequence[str]) -> list[str]:
        """Return the groups of synonyms that the terms belong to, repeats included."""
        table = self._table()
        return [] if table.keys().isdisjoint(terms) else synonyms.held(terms, table)

    def _table(self) -> synonyms.Table:
        if self._likes is None:
            self._likes = synonyms.table(lambda word: self._cjk(word, alone=False) if _IS_CJK.match(word) else self._latin(word))
        return self._likes

    def question(self, text: str, *, expressions: bool = True) -> tuple[Word, ...]:
        """Return the words of a question, each once, function words marked; what stands in quotes or backticks is never one.

        Without `expressions` every word is read as it is written: program text is written by those who know its names.
        """
        words: dict[str, Word] = {}
        named = {run for quoted in quotes(text) for run in _RUN.findall(quoted)}
        asked = _CJK_STOPS.sub(" ", text) if _IS_CJK.search(text) else text
        matches = list(_RUN.finditer(asked))
        said = self._spoken([match.group() for match in matches], named) if expressions else {}
        for place, match in enumerate(matches):
            if place in said:
                if (expression := said[place]) is not None:
                    words.setdefault(expression.terms[0], expression)
                continue
            run, option = match.group(), asked[max(0, match.start() - 2) : match.start()] == "--"
            word = self._asked.get((run, option, run in named)) or self._word(run, option=option, named=run in named)
            if word.terms:
                words.setdefault(word.terms[0], word)
        if not words and _IS_CJK.search(text):
            return tuple(self._run(run) for run in dict.fromkeys(_RUN.findall(text)))
        return tuple(words.values())

    def _word(self, run: str, *, option: bool, named: bool) -> Word:
        if len(self._asked) >= self._remembered:
            self._asked.clear()
        terms = self._cjk(run, alone=False) if _IS_CJK.match(run) else self.read(run)[0]
        likes = tuple(synonyms.asked(terms, self._table())) if len(terms) == 1 or _IS_CJK.match(run) or _COMPOUND.fullmatch(run) else ()
        stop = run.lower() in STOP_WORDS and not named
        word = self._asked[run, option, named] = Word(run, terms, stop, option or is_identifier(run), likes)
        return word

    def _spoken(self, runs: Sequence[str], named: Set[str]) -> dict[int, Word | None]:
        """Return the words that expressions stand for by the place of their first word; by those of their others, nothing."""
        found: dict[int, Word | None] = {}
        for one in phrases.spoken(runs):
            if named.isdisjoint(runs[place] for place in one.places):
                word, own = self._word(one.word, option=False, named=False), [runs[place] for place in one.places]
                others = (term for run in own if run.lower() not in STOP_WORDS for term in self.read(run)[0][:1])
                terms = tuple(dict.fromkeys((*word.terms, *others)))
                likes = word.likes + ((),) * (len(terms) - len(word.likes))
                word = replace(word, surface=" ".join(own), terms=terms, likes=likes, spoken=True)
                found |= dict.fromkeys(one.places) | {one.places[0]: word}
        return found

    def _run(self, run: str) -> Word:
        terms = self._cjk(run, alone=False)
        return Word(run, terms, likes=tuple(synonyms.asked(terms, self._table())))

    def phrases(self, text: str) -> tuple[tuple[str, ...], ...]:
        """Return the terms, two or more, of each phrase that the question puts in quotes or backticks."""
        found = (tuple(self.terms(quoted)) for quoted in quotes(text))
        return tuple(dict.fromkeys(terms for terms in found if 2 <= len(terms) <= 40))

    def _learn(self, run: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        if len(self._seen) >= self._remembered:
            self._seen.clear()
        terms = self._cjk(run, alone=True) if _IS_CJK.match(run) else tuple(dict.fromkeys(self._latin(run)))
        found = self._seen[run] = (terms, tuple(self.likes(terms)))
        return found

    def _cjk(self, run: str, *, alone: bool) -> tuple[str, ...]:
        run = unicodedata.normalize("NFKC", run)
        if len(run) == 1:
            return (run,)
        pairs = tuple(run[i : i + 2] for i in range(len(run) - 1))
        return pairs + tuple(c for c in run if _HAN.match(c)) if alone else pairs

    def _latin(self, run: str) -> list[str]:
        if not run.isascii():
            run = "".join(c for c in unicodedata.normalize("NFKD", run) if not unicodedata.combining(c))
        run = run[:200]
        joints = [j for j in _JOINT.split(run) if j]
        terms: list[str] = []
        if len(joints) > 1:
            terms.append(_JOINT.sub(".", run).lower().strip("_."))
        for joint in joints:
            terms.extend(self._joint(joint))
        return [t for t in terms if t]

    def _joint(self, word: str) -> list[str]:
        bare = word.strip("_")
        lower = bare.lower()
        if not lower:
            return []
        whole = self._stem(lower) if lower.isalpha() else lower
        parts = _PART.findall(bare)
        if len(parts) < 2:
            return [whole]
        return [whole, *(self._stem(p.lower()) for p in parts)]


def runs(text: str) -> list[str]:
    """Return what a text is made of: words and identifiers as written, runs of Han, Kana and Hangul."""
    if text.isascii():
        return _PLAIN_RUN.findall(text)
    return [run for line in text.split("\n") for run in (_PLAIN_RUN if line.isascii() else _RUN).findall(line)]


def quotes(text: str) -> tuple[str, ...]:
    """Return what stands in backticks, straight or typographic double quotes, or corner brackets."""
    return tuple(next(g for g in m.groups() if g) for m in _QUOTED.finditer(text))


def is_identifier(run: str) -> bool:
    """Say whether a word looks like a name out of program text: dots, underscores, digits inside, or capitals after the first letter."""
    if len(run) < 2 or _IS_CJK.match(run):
        return False
    inner = run.strip("_")
    return bool(
        "_" in inner
        or run != inner
        or re.search(r"[a-z][A-Z]|[A-Z]{2,}[a-z]|\w(?:\.|::|->)\w|[A-Za-z]\d", run)
        or (inner.isupper() and len(inner) > 2)
    )
