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
from pincite.types import SearchResult


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


UNKNOWN_FLOOR: Final = 0.45
"""Coverage that a question needs which has a word that the library does not know."""
_CODE = re.compile(r"_|^--|^[a-z]+[a-z0-9]*[A-Z]|^[A-Z][a-z0-9]+[A-Z]|^[A-Z]{1,3}\d{3,}$|^[A-Z]{2,}[A-Z][a-z]|\(\)$|::|\w\.\w")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*[\[(=]")
_PROPER = re.compile(r"(?<![\w-])[A-Z][A-Za-z]*[A-Za-z0-9]\b")
_LATIN_IN_CJK = re.compile(r"(?<![\w.-])[A-Za-z][\w-]{2,}(?![\w.-])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_COMMON = _set(
    "how what which who when where why can could should is are do does did the in on with for from i my if tell show explain"
    " give list find use error please debian linux windows unix macos english"
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
    if not result.passages or result.answerable < floor:
        return True
    if floor and result.unknown_terms and result.answerable < UNKNOWN_FLOOR:
        return True
    return bool(floor and missing_names(question, result))


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
