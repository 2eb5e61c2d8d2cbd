"""Text that speaks to an assistant instead of a reader: instructions planted in a page, or a page about them.

In: text as a reader sees it. Out: whether it holds such words. It decides nothing but a flag for the reader: passages are data in any case.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

PLANTED: Final = "planted-instructions"
"""The flag of a passage or citation whose text addresses an assistant."""
_BEFORE = r"(?:all\s+|any\s+|the\s+|your\s+|of\s+|these\s+)*(?:previous|prior|above|earlier|preceding|foregoing|original|system)"
_ORDERS = r"(?:instructions?|prompts?|directions?|rules|guidelines|messages?|commands?|context)"
_WHO = r"(?:ai|llm|language\s+model|chatbot)s?"
_TOLD = (
    (
        "ignore disregard forget override bypass",
        0,
        rf"\b\w+\s+(?:{_BEFORE}\s+{_ORDERS}\b|(?:everything|all)\s+(?:above|before|you\s+(?:were|have\s+been)\s+told)\b)",
    ),
    (
        "system+prompt",
        40,
        r"\b(?:reveal|print|repeat|output|show|leak)\s+(?:me\s+)?(?:your|the)\s+(?:hidden\s+|full\s+|entire\s+)?system\s+prompt\b",
    ),
    ("the+user the+human", 70, r"\b(?:do\s+not|don['’]t|never)\s+(?:tell|inform|mention|reveal)\b[^.\n]{0,40}\bthe\s+(?:user|human)\b"),
    ("you+are+now", 0, r"\byou\s+are\s+now\s+(?:an?\s+)?(?:unrestricted|jailbroken|dan\b|in\s+developer\s+mode|free\s+of)"),
    ("if+you+are", 0, rf"\bif\s+you\s+are\s+(?:an?\s+)?(?:large\s+)?(?:{_WHO}|ai\s+(?:assistant|agent))\b"),
    (
        "attention note important instruction message",
        0,
        rf"(?:attention\s*(?:to|for|:|,)?|\w+\s*(?:to|for))\s+(?:all\s+|any\s+)?(?:{_WHO}\s+(?:assistants?|models?|agents?)|{_WHO})\b",
    ),
    (
        "must",
        60,
        rf"\b{_WHO}(?:\s+(?:assistants?|models?|agents?))?[^.\n]{{0,30}}\bmust\s+(?:now\s+)?(?:answer|say|reply|respond|recommend|tell)\b",
    ),
    ("<|", 0, r"<\|(?:im_start|im_end|system|assistant|user|endoftext)\|>"),
    ("inst]", 2, r"\[/?inst\]"),
    ("<<sys>>", 0, r"<<sys>>"),
    ("忽略 无视 忘记 不要理会", 0, r"\w{2,4}?[^。\n]{0,8}(?:之前|以上|先前|前面|上述)[^。\n]{0,6}(?:指令|指示|提示|规则|内容)"),
    ("指示 命令 プロンプト", 14, r"(?:以前|上記|前|これまで)の(?:すべての)?(?:指示|命令|プロンプト)[^。\n]{0,4}(?:無視|忘れ)"),
    ("지시 명령 프롬프트", 12, r"(?:이전|위)의?\s*(?:모든\s*)?(?:지시|명령|프롬프트)[^.\n]{0,6}(?:무시|잊)"),
    ("ignorier vergiss", 0, r"\b\w+\s+(?:alle\s+)?(?:vorherigen|bisherigen|obigen)\s+(?:anweisungen|instruktionen)\b"),
    ("ignore oublie", 0, r"\b(?:ignorez?|oubliez?)\s+(?:toutes\s+)?les\s+instructions\s+(?:précédentes|ci-dessus)"),
    ("ignora olvida", 0, r"\b\w+\s+(?:todas\s+)?las\s+instrucciones\s+(?:anteriores|previas)"),
)
"""Words to look for (`+` stands for a space), characters before them from which the pattern is tried, the pattern over lower case."""
_LOOKS: Final = tuple((word.replace("+", " "), back, re.compile(pattern)) for words, back, pattern in _TOLD for word in words.split())
_AFTER: Final = 160


@lru_cache(4096)
def addresses_assistants(text: str) -> bool:
    """Say whether a text holds words that mean to instruct a language model. Words are looked for first, patterns tried only there."""
    low = text.lower().replace("\n", " ")
    for word, back, pattern in _LOOKS:
        tried = pattern.search if back else pattern.match
        at = low.find(word)
        while at >= 0:
            if tried(low, max(0, at - back), at + _AFTER):
                return True
            at = low.find(word, at + len(word))
    return False
