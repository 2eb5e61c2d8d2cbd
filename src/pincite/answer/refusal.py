"""When to say that the library holds no answer.

In: a question and what was found. Out: the names that nothing found speaks of, and whether to abstain. The top score alone tells little;
a name from code, or of a product, that stands in none of the passages tells much: its passages would have come first. The floors were set
on questions of our own over documentation that answers some of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from pincite.answer.intent import entities
from pincite.answer.terms import question_terms, words
from pincite.types import SearchResult


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


UNKNOWN_FLOOR: Final = 0.45
"""Coverage that a question needs which has a word that the library does not know."""
SPOKEN: Final = 0.66
"""Share of a question's own words that one passage must have to answer it however rare the others are."""
READ: Final = 5
_CODE = re.compile(r"_|^--|^[a-z]+[a-z0-9]*[A-Z]|^[A-Z][a-z0-9]+[A-Z]|^[A-Z]{1,3}\d{3,}$|^[A-Z]{2,}[A-Z][a-z]|\(\)$|::|\w\.\w")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*[\[(=]")
_PROPER = re.compile(r"(?<![\w-])[A-Z][A-Za-z]*[A-Za-z0-9]\b")
_LATIN_IN_CJK = re.compile(r"(?<![\w.-])[A-Za-z][\w-]{2,}(?![\w.-])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON = _set(
    "true false none null int str float bool dict how what which who when where why can could should is are do does"
    " did the in on with for from i my if tell show explain give list find use error please debian linux windows"
    " unix macos english"
)

_EVERYDAY = frozenset(
    words(
        "long take takes taken far big large small keep keeps kept happen happens work works mean means let lets find"
        " possible best way good fast quick quickly often much many thing things still already really ever also just only new"
        " old same other others different kind type know see say says tell ask come comes go goes put give gives want try run"
        " allow allowed able help like look first last time times"
    )
)


def missing_names(question: str, result: SearchResult) -> tuple[str, ...]:
    """Return the names of the question that no passage, title, path or source has, in the order of the question."""
    pool = "\n".join("\n".join((p.text, p.title, p.path, p.url, p.source, p.symbol or "", *p.heading)) for p in result.passages).lower()
    pool = re.sub(r"\\(?=[^\w\s])", "", pool)
    squeezed = re.sub(r"[\s_.:-]+", "", pool)
    unknown = {t.lower() for t in result.unknown_terms}
    wanted = (n for n in names(question) if not _CJK.search(question) or _CODE.search(n) or n.lower() in unknown)
    return tuple(dict.fromkeys(n for n in wanted if not _stands(n, pool, squeezed)))


def abstains(question: str, result: SearchResult, floor: float) -> bool:
    """Say whether what was found does not answer the question; a floor of 0 lets everything pass that was found."""
    if not result.passages:
        return True
    if not floor:
        return False
    wanted = UNKNOWN_FLOOR if result.unknown_terms else floor
    if result.answerable < max(floor, wanted) and spoken_of(question, result) < SPOKEN:
        return True
    return bool(missing_names(question, result))


def spoken_of(question: str, result: SearchResult) -> float:
    """Return the share of the question's own words, small and common ones left out, that one of the passages has with its headings.

    In a small library the words of any question are mostly unknown; what it is about is not.
    """
    wanted = {t for t in question_terms(question) if t not in _EVERYDAY} or question_terms(question)
    best = 0.0
    for passage in result.passages[:READ]:
        held = set(words("\n".join((passage.title, *passage.heading, passage.text))))
        best = max(best, len(wanted & held) / len(wanted))
    return best


def names(question: str) -> Iterator[str]:
    """Yield what the question names: names from code with their last part, flags, products."""
    for name in entities(question):
        bare = name.strip("`").rstrip("()")
        if " " not in bare and _CODE.search(name):
            yield bare
    for match in _CALL.finditer(question):
        if _CODE.search(match.group(1)):
            yield match.group(1)
    yield from re.findall(r"(?<![\w-])[A-Z]{1,3}\d{3,}\b", question)
    cjk = _CJK.search(question) is not None
    for match in (_LATIN_IN_CJK if cjk else _PROPER).finditer(question):
        word = match.group()
        first = not question[: match.start()].strip(" \"'“‘(")
        named = cjk or not first or question[match.end() : match.end() + 1] == ":"
        if named and word.lower() not in _COMMON and not re.fullmatch(r"[A-Z]", word):
            yield word


def _stands(name: str, pool: str, squeezed: str) -> bool:
    low = unicodedata.normalize("NFKC", name).lower()
    if re.search(rf"(?<![\w]){re.escape(low)}", pool):
        return True
    if low.startswith("-"):
        return False
    last = re.split(r"[.:]+", low)[-1]
    if last != low:
        return re.search(rf"(?<!\w){re.escape(last)}(?!\w)", pool) is not None
    if low.endswith("s") and len(low) > 3 and re.search(rf"(?<!\w){re.escape(low[:-1])}(?!\w)", pool):
        return True
    if name.isupper() and "_" not in name and any(re.search(rf"(?<!\w){re.escape(low[i:])}(?!\w)", pool) for i in range(1, len(low) - 3)):
        return True
    return "_" not in low and len(low) > 3 and re.sub(r"[\s_.:-]+", "", low) in squeezed
