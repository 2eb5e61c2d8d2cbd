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
from pincite.types import Passage, SearchResult


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


UNKNOWN_FLOOR: Final = (0.33, 0.8)
"""Coverage that a question needs which has words that the library does not know: at least, and more by the share of such words in it. One
strange adjective among twelve words says little; one strange word of three is what the question is about."""
SPOKEN: Final = 0.67
"""Share of a question's own words that one passage must have to answer it however rare the others are."""
BRIEF: Final = 6
"""Content words up to which a question is short: each of them tells, and one passage must speak of most."""
BRIEF_FLOOR: Final = 0.46
"""Share of a short question's IDF that one passage must cover."""
BRIEFEST: Final = (3, 0.6)
"""The same for the shortest: two of three words in common is chance, where the third is the rare one."""
READ: Final = 5
_CODE = re.compile(r"_|^--|^[a-z]+[a-z0-9]*[A-Z]|^[A-Z][a-z0-9]+[A-Z]|^[A-Z]{1,3}\d{3,}$|^[A-Z]{2,}[A-Z][a-z]|\(\)$|::|\w\.\w")
_CALL = re.compile(r"\b([A-Za-z_]\w*)\s*[\[(=]")
_PROPER = re.compile(r"(?<![\w-])[A-Z][A-Za-z]*[A-Za-z0-9]\b")
_WITHIN_NAME = r"[\s_-]+"
_SEVERAL = re.compile(r"(?<![\w-])[A-Z][a-z]+(?:[ -][A-Z][a-z]+)+\b")
_SERIES = re.compile(r"\b(?:PEP|RFC|ISO|IEC|IEEE|CVE|JEP|JSR|BCP|DEP|EIP|ECMA|ANSI|FIPS)[ -]?\d[\d-]*")
"""A document of a numbered series: the number is a part of its name."""
_LATIN_IN_CJK = re.compile(r"(?<![\w.-])[A-Za-z][\w-]{2,}(?![\w.-])")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_SCHEME = re.compile(r"(?<![\w:/.-])[a-z][a-z0-9]+:[a-z_][\w/-]+(?![\w:.])")
"""A name with its namespace before one colon: `node:sqlite`."""
_HYPHENED = re.compile(r"(?<![\w.-])[a-z]+(?:-[a-z]+){2,}(?![\w-])")
_LINKING = _set("a an and as at by for in no of on or per than the to up")
_SUBCOMMAND = re.compile(
    r"(?:\b(?:with|using|via|run|running)\s+(?:the\s+)?([a-z][a-z0-9]+) ([a-z][a-z-]{3,})(?=[\s?.!]*$| (?:for|to|on|in|command)\b))"
    r"|\bthe\s+([a-z][a-z0-9]+) ([a-z][a-z-]{3,})(?= (?:command|subcommand)\b)"
)
"""A program and its subcommand, named as one: `with git replay`."""
SUBCOMMANDS: Final = 3
"""Subcommands of a program that the passages must show before another one is missed."""
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
    pools = tuple(_pool(p) for p in result.passages)
    unknown = {t.lower() for t in result.unknown_terms}
    wanted = (n for n in names(question) if not _CJK.search(question) or _CODE.search(n) or n.lower() in unknown or n.islower())
    pool = "\n".join(pools)
    squeezed = re.sub(r"[\s_.:-]+", "", pool)
    missing = [n for n in wanted if not _stands(n, pool, squeezed)]
    missing += [n for n in result.unknown_terms if _CODE.search(n) and "." in n and not any(_member(n.lower(), p) for p in pools)]
    missing += [n for n in _joined(question) if not any(_together(n.lower(), p) for p in pools)]
    missing += [n for n in _compounds(question, pool) if re.sub(r"[\s_.:-]+", "", n.lower()) not in squeezed]
    return tuple(dict.fromkeys(missing))


def _compounds(question: str, pool: str) -> Iterator[str]:
    """Yield names of several parts that mean something only together: with a namespace, hyphens, or a program's subcommand."""
    yield from (m.group() for m in _SCHEME.finditer(question))
    yield from (m.group() for m in _HYPHENED.finditer(question) if _LINKING.isdisjoint(m.group().split("-")))
    for match in _SUBCOMMAND.finditer(question):
        program, command = (part for part in match.groups() if part)
        shown = re.findall(rf"`{program} ([a-z][a-z-]+)|(?<![\w-]){program}-([a-z][a-z-]+)\(\d\)", pool)
        if len(set(shown)) >= SUBCOMMANDS:
            yield f"{program} {command}"


def _pool(passage: Passage) -> str:
    """Return all that a passage says and is called, in lower case, escapes undone."""
    text = "\n".join((passage.text, passage.title, passage.path, passage.url, passage.source, passage.symbol or "", *passage.heading))
    return re.sub(r"\\(?=[^\w\s])", "", text.lower())


def _member(name: str, pool: str) -> bool:
    """Say whether one passage has both ends of a dotted name: `batched` elsewhere is not `itertools.batched`."""
    owner, last = (re.escape(part) for part in re.split(r"[.:]+", name)[-2:])
    as_code = rf"(?<![^\W_]){last}\(|[`.#]{last}(?![^\W_])|(?<![^\W_]){last}`"
    return re.search(rf"(?<![^\W_]){owner}(?![^\W_])", pool) is not None and re.search(as_code, pool) is not None


def _joined(question: str) -> Iterator[str]:
    """Yield the names of several words, and the numbered documents of a series."""
    yield from (m.group() for m in _SERIES.finditer(question))
    words_of = re.findall(r"[A-Za-z]+", question)
    if sum(w[0].isupper() for w in words_of) * 2 > len(words_of):
        return
    for match in _SEVERAL.finditer(question):
        parts = match.group().split()
        if not question[: match.start()].strip(" \"'“‘("):
            parts = parts[1:]
        if len(parts) > 1:
            yield " ".join(parts)


def _together(name: str, pool: str) -> bool:
    """Say whether a passage has all the words of a name; the number of a series stands beside its letters."""
    if any(c.isdigit() for c in name):
        return re.sub(r"[\s-]+", "", name) in re.sub(r"[\s-]+", "", pool)
    return all(re.search(rf"(?<![a-z]){re.escape(part.removesuffix('s'))}", pool) for part in re.split(_WITHIN_NAME, name))


def abstains(question: str, result: SearchResult, floor: float, *, mapped: bool = False) -> bool:
    """Say whether what was found does not answer the question; a floor of 0 lets everything pass that was found.

    A question in which the user's own word was `mapped` to the library's is about that word, however rare its others are.
    """
    if not result.passages:
        return True
    if not floor:
        return False
    asked, spoken = question_terms(question), spoken_of(question, result)
    least, more = UNKNOWN_FLOOR
    wanted = least + more * len(result.unknown_terms) / max(len(asked), 1) if result.unknown_terms and not mapped else floor
    if spoken < SPOKEN and (result.answerable < max(floor, wanted) or (not mapped and _brief_and_apart(question, len(asked), result))):
        return True
    return bool(missing_names(question, result))


def _brief_and_apart(question: str, size: int, result: SearchResult) -> bool:
    """Say whether a question is short and its words stand in different passages only. What was found by meaning need not share words."""
    read = result.passages[:READ]
    if size > BRIEF or _CJK.search(question) or any("vector" in p.scores for p in read):
        return False
    few, floor = BRIEFEST
    return 0 < max(p.similarity for p in read) < (floor if size <= few else BRIEF_FLOOR)


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
