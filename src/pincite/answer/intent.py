"""What a question wants, before anything is searched: by rules, offline.

In: a question. Out: `Asked`: the intent, the entities and keywords that a search may use. Only greetings and small talk are `none`; in
doubt, search.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from pincite.answer.terms import question_terms

Intent = Literal["fact_check", "how_to", "definition", "none"]

_SMALL_TALK = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hiya|howdy|greetings|good\s+(?:morning|afternoon|evening|night|day)|yo|sup)(?:\s+(?:there|all|everyone|bot|pincite))?"
    r"|how\s+are\s+you(?:\s+(?:doing|today))*|what'?s\s+up|nice\s+to\s+meet\s+you|who\s+are\s+you|are\s+you\s+(?:a\s+)?(?:bot|human|there|ok)"
    r"|thanks?(?:\s+(?:you|a\s+lot|so\s+much|very\s+much))*|thank\s+you(?:\s+(?:so|very)\s+much)?|cheers|ok(?:ay)?|great|cool|nice|bye|goodbye|see\s+you"
    r"|good\s?bye|lol|haha+|tell\s+me\s+a\s+joke"
    r"|你好|您好|嗨|哈喽|早上好|下午好|晚上好|早安|晚安|谢谢(?:你|您)?|多谢|再见|拜拜|你是谁|你好吗|好的"
    r"|こんにちは|こんばんは|おはよう(?:ございます)?|やあ|ありがとう(?:ございます)?|さようなら|またね|元気ですか|はじめまして"
    r"|안녕(?:하세요)?|감사합니다|고마워요?|잘\s*가"
    r"|hallo|moin|guten\s+(?:tag|morgen|abend)|danke(?:\s+schön)?|tschüss|bonjour|bonsoir|salut|merci(?:\s+beaucoup)?|au\s+revoir"
    r"|hola|buenos\s+días|buenas\s+tardes|gracias|adiós)(?:\W+(?:hi|hello|there|you|pincite|again|吗|啊|呀|吧|呢|ね|よ))*\W*$",
    re.I,
)
_DEFINITION = re.compile(
    r"^\W*(?:what\s+(?:is|are|does)\s+(?:an?\s+|the\s+)?[^?]{1,80}?(?:\s+mean)?\s*\??$|define\b|definition\s+of|meaning\s+of|explain\s+(?:the\s+)?(?:term|concept)\b"
    r"|was\s+(?:ist|sind|bedeutet)\b|qu'est-ce\s+que?|qué\s+(?:es|son|significa)\b)|(?:是什么|什么是|何谓|是什麼)|とは(?:何|なん|？|\?|$)|って何|(?:이란|뭐야|무엇)",
    re.I,
)
_FACT = re.compile(
    r"^\W*(?:is|are|was|were|does|do|did|can|could|will|would|should|must|has|have|may)\b(?!\s+(?:i|we|you)\b.*\bhow\b)"
    r"|\b(?:is\s+it\s+true|true\s+that|correct\s+that|really|since\s+(?:when|which)|how\s+(?:many|much|long|often|old|large|big)|which\s+version|default\s+(?:value|of|for))\b"
    r"|^\W*(?:when|who|which|where)\b|(?:吗|是否|是不是|多少|几个|默认值|对吗|真的)|(?:ですか|ますか|でしょうか|いくつ|何個|デフォルト)|(?:인가요|까요|입니까|몇)",
    re.I,
)
_QUOTED = re.compile(r"`([^`]+)`|\"([^\"]{2,80})\"|“([^”]{2,80})”|「([^」]{2,80})」")
_NAME = re.compile(r"(?<![\w-])--?[A-Za-z][\w-]*|\b\w+(?:[._:]\w+)+(?:\(\))?|\b\w+\(\)|\b[a-z]+[A-Z]\w*|\b[A-Z]\w*[A-Z]\w*|\b[A-Z]{2,}\b")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, understood by rules."""

    intent: Intent
    entities: tuple[str, ...]
    """Names from code, quoted words, capitals: what the question is about."""
    keywords: tuple[str, ...]
    """The stems of its content words."""


def understand(question: str) -> Asked:
    """Return the intent, the entities in order and the keywords, sorted."""
    text = " ".join(question.split())
    return Asked(intent_of(text), entities(text), tuple(sorted(question_terms(text))))


def intent_of(text: str) -> Intent:
    """Return what the question wants. A question about a name from code is never small talk."""
    if _SMALL_TALK.match(text) and not _NAME.search(text.rstrip("?!.")):
        return "none"
    if re.search(
        r"\bhow\s+(?:do|can|to|should|would|could|does)\b|如何|怎么|怎样|どうやって|方法|어떻게|\bwie\s+(?:kann|mache)|\bcomment\b|\bcómo\b",
        text,
        re.I,
    ):
        return "how_to"
    if _DEFINITION.search(text):
        return "definition"
    return "fact_check" if _FACT.search(text) else "how_to"


def entities(text: str) -> tuple[str, ...]:
    """Return quoted words and names from code, each once, in the order of the text."""
    found = [(m.start(), next(g for g in m.groups() if g)) for m in _QUOTED.finditer(text)]
    found += [(m.start(), m.group()) for m in _NAME.finditer(text)]
    return tuple(dict.fromkeys(name for _, name in sorted(found)))
