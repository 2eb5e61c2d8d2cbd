"""Words and signs that turn the meaning of a sentence: negations, modals, quantifiers, conditions, comparisons, numbers, identifiers.

In: text, folded or visible. Out: sets, counts and yes or no. Lists of closed word classes, in the languages that the footnotes speak and
their nearest neighbours; they veto, they never find.
"""

from __future__ import annotations

import re


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


NEGATIONS = _set(
    "not no never none nor neither cannot nothing nobody nowhere without hardly barely n't dont doesnt isnt arent cant wont shouldnt mustnt"
    " nicht kein keine keinen keiner nie niemals ohne weder pas jamais aucun aucune sans ni non ne nunca ningún ninguna sin não nem sem mai"
    " нет не ни никогда без"
)
NEGATION_SIGNS = re.compile(
    r"\b\w+n['’]t\b|不|没|沒|未|非|无|無|勿|莫|禁止|ない|ません|なく|なかっ|せず|不可|ぬ|안 |않|없|못|말아|금지", re.I
)
MODALS = _set(
    "must should shall may might can could will would need needs required optional mandatory recommended deprecated forbidden allowed"
    " permitted prohibited muss müssen soll sollte kann darf doit doivent peut peuvent debe deben puede pueden"
)
QUANTIFIERS = _set(
    "all any some every each both either only always often sometimes rarely usually most few many at least most exactly first last before"
    " after until and or more less fewer greater higher lower larger smaller above below under over up down min max minimum maximum"
    " alle jede nur immer und oder toujours tous seulement et ou todos siempre solo y o"
)
CONDITION = re.compile(
    r"^[\s,;:()–—-]*(?:and\s+|but\s+|even\s+|so\s+|then\s+)*"
    r"(?:only|solely|exclusively|unless|except(?:ing)?|if|when(?:ever)?|provided|providing|as\s+long\s+as|so\s+long\s+as|until|in\s+case|other\s+than"
    r"|given\s+that|assuming|subject\s+to|barring|insofar|in\s+so\s+far|inasmuch|to\s+the\s+extent|pending|depending\s+on|(?:conditional|contingent)\s+(?:up)?on|save\s+(?:for|when|if|in|on|at|that|by|where)|on\s+(?:the\s+)?condition|however\s+(?:not|never|only)"
    r"|(?:\w+\s+){1,3}only(?=\s*(?:[.;)]|$))|,?\s*(?:[\w-]+\s+){1,4}(?:excepted|excluded|exempted|permitting)"
    r"|excluding|exclusive\s+of|not\s+(?:including|counting)|with\s+the\s+exception|apart\s+from|but\s+(?:not?|at\s+(?:most|least)|never|must|first|needs?|requires?|cannot|should|shall)|without|wenn|falls|außer|nur|sofern|solange|sauf|si|quand|à\s+moins|salvo|excepto|cuando|siempre\s+que)\b"
    r"|^\s*while\b"
    r"|^[，,、][^。；，,]{1,20}(?:除外|を除く|を除き)|^[\s，,；;、]*(?:除非|除了|除外|只有|但(?:必须|只|仅|不|需|要|是|应|须|得|禁|限)|仅|只要|如果|若|当|ただし|但し|しかし|ときのみ|場合のみ|場合に限|だが|단,|다만|제외)",
    re.I,
)
OPENING_CONDITION = re.compile(
    r"^\W*(?:only\s+)?(?:if|unless|when(?:ever)?|except|until|provided|as\s+long\s+as|so\s+long\s+as|in\s+case|without|wenn|falls|sofern|si|quand|cuando)\b"
    r"|^(?:如果|若|当|除|只有|只要)|(?:場合|とき|なら|れば|たら|경우|때|면)[はにのみ、,\s]*$",
    re.I,
)
_LEADING_NEGATION = re.compile(
    r"(?:\b(?:not|never|no|nor|neither|cannot|without|avoid|rather\s+than|instead\s+of|unable|fails?|failed|refuses?|prevents?|forbids?|forbidden|false"
    r"|wrong|untrue|impossible|illegal|unlikely|rarely|seldom|hardly|barely|scarcely|few|nobody|nothing|none"
    r"|nicht|kein\w*|nie|ohne|pas|jamais|sans|nunca|sin)|n['’]t)\W+(?:[\w'’-]+[^\w,;:()]+){0,3}$"
    r"|(?:不|没|沒|未|无|無|勿|并非|非|几乎|误以为|以为|禁止|严禁|请勿|不要|不能|不得)\s*$",
    re.I,
)
_LEADING_DOUBT = re.compile(
    r"\b(?:mistake|myth|misconception|fallacy|wrong|false|untrue|incorrect|doubt\w*|den(?:y|ies|ied))\b[^.,;:]*\b(?:that|to)\s+$"
    r"|\b(?:believe|think|claim|assume|suppose|hope|suspect|pretend)(?:s|d|ed)?\s+that\s+$|\bwhether\s+$"
    r"|\b(?:uncertain|unclear|unproven|unlikely|doubtful|not\s+\w+|far\s+from\s+\w+|no\s+(?:evidence|proof|sign|guarantee))\b[^.,;:]{0,30}\bthat\s+$",
    re.I,
)
_LEADING_BOUND = re.compile(
    r"\b(?:only|merely|almost|nearly|at\s+(?:most|least)|up\s+to|(?:more|less|fewer|other)\s+than|except(?:\s+for)?"
    r"|(?:nobody|none|nothing|all|no\s+one|anyone|everyone|anything|everything)\s+but)\s+$|(?:只有|仅|只|至多|最多|至少|不超过)\s*$",
    re.I,
)
"""What bounds or doubts the words that follow it: `only`, `up to`, `it is a mistake to think that`."""
FORBIDDING = re.compile(
    r"\b(?:not|never|avoid|forbidden|forbids?|prohibited|prohibits?|cannot|no\s+longer)\b[^.;]*:\W*$|n['’]t\b[^.;]*:\W*$"
    r"|(?:不|勿|禁止|严禁|嚴禁|不可|不得)[^。；]*[:：]\W*$",
    re.I,
)
"""A sentence that forbids what the items under it say."""
_TRAILING_NEGATION = re.compile(
    r"^\W{0,3}(?:not|never|n['’]t|no\s+longer|nicht|pas|jamais|nunca)\b|^(?:[はもがを]|こと[はがも]?)?(?:しか)?(?:でき|いけ|なり|なら|行え|行い|し|さ|れ)?(?:ない|ません|なかっ|なく)|^(?:ません|なかっ|せず|않|없|지\s*않|지\s*마|不|没)",
    re.I,
)
LIMIT = re.compile(
    r"^[\s,–—-]*(?:within|every|each|daily|weekly|monthly|yearly|or|and\s+(?:of|to|by|with|in|from|for|at|on|under)|before|after|until|till|during|once|for(?!\s+(?:example|instance)\b)|while|where|at\s+(?:most|least|the\s+(?:earliest|latest))|no(?:t)?\s+(?:earlier|later|before|after|more|less|longer)|up\s+to|as\s+of"
    r"|oder|ou|höchstens|mindestens|jedoch|allerdings|bis|vor|nach|während|für|pour|avant|après|jusqu|pendant|au\s+(?:plus|moins)|mais"
    r"|para|antes|después|hasta|durante|como\s+(?:máximo|mínimo))\b",
    re.I,
)
"""What limits the words before it: `floods were common before the dam was built`."""
LEADING_CONDITION = re.compile(
    r"\b(?:if|provided\s+that|when(?:ever)?|as\s+long\s+as|so\s+long\s+as|until|in\s+case|given\s+that|assuming|only|solely"
    r"|exclusively|wenn|falls|sofern|solange|si|quand|cuando)\s+$|(?:如果|若|当|只要)\s*$",
    re.I,
)
"""What makes the words after it a condition or bounds them."""
PUT_IN = re.compile(
    r"(?:^|[,(–—])\s*(?:only\s+)?(?:if|when|provided|subject\s+to|as\s+long\s+as|wenn|falls|sofern|si|quand|cuando)\b|[，,（(]\s*(?:如果|若|只要)",
    re.I,
)
"""A condition that is put into a sentence: `may, if the keeper agrees, leave`."""
RULING = re.compile(
    r"\b(?:may|can|must|shall|should|cannot|allowed|permitted|forbidden|prohibited|required|free|open|closed|available|possible|valid|only|all|every|any|no|not|never|\w+n['’]t"
    r"|darf|dürfen|muss|müssen|erlaubt|verboten|kostenlos|kein\w*|nicht|alle|peut|peuvent|doit|doivent|gratuite?s?|autorisée?s?|interdite?s?"
    r"|puede|pueden|debe|deben|gratis|permitid[oa]s?|prohibid[oa]s?)\b",
    re.I,
)
"""What allows, forbids or generalises: there the place, the time and the means count."""
CIRCUMSTANCE = re.compile(
    r"^[\s,]*(?:in|on|at|by|with|within|from|to|under|through|via|between|per|as|but|im|mit|bei|auf|von|aber|dans|avec|sur|par|en|con|por|pero)\b"
    r"|^\s+\w+(?:ly|ment|mente)\s*[.;!?]?\s*$",
    re.I,
)
_NUMBER = re.compile(r"(?<![\w.])[+-]?\d+(?:[.,:/]\d+)*%?|\d+(?:[.,:/]\d+)*%?")
_UNIT_SIGN = re.compile(r"[€$£¥₩₹₽¢%‰°]")
AMOUNTS = _set(
    "million billion trillion thousand hundred millions billions trillions thousands hundreds milliard milliards milliarden millionen"
)
_OPERATOR = re.compile(r"[<>=!]=?=?|&&?|\|\|?|[+*/%^~≤≥≠±]|(?<![\w-])-{1,2}(?=\w)|->|=>")


def numbers(text: str) -> list[str]:
    """Return the numbers of a text, sorted, each as it is written."""
    return sorted(_NUMBER.findall(text))


def units(text: str) -> list[str]:
    """Return the signs of money, shares and degrees, sorted."""
    return sorted(_UNIT_SIGN.findall(text))


def operators(text: str) -> list[str]:
    """Return comparison, arithmetic, logical and flag signs, sorted."""
    return sorted(_OPERATOR.findall(text))


def is_negation(word: str) -> bool:
    """Say whether one folded word negates."""
    return word in NEGATIONS or bool(NEGATION_SIGNS.fullmatch(word))


def turns(word: str) -> bool:
    """Say whether putting, dropping or changing this folded word turns a sentence: negation, modal, quantifier, comparison, sign."""
    return word in MODALS or word in QUANTIFIERS or is_negation(word) or bool(_OPERATOR.fullmatch(word))


def negated_before(text: str) -> bool:
    """Say whether what stands just before a quote negates, doubts or bounds it."""
    return any(pattern.search(text) for pattern in (_LEADING_NEGATION, _LEADING_DOUBT, _LEADING_BOUND))


def negated_after(text: str) -> bool:
    """Say whether what stands just after a quote negates it."""
    return _TRAILING_NEGATION.search(text) is not None


def is_identifier(word: str) -> bool:
    """Say whether a word, in its own case, is a name from code: a sign, a digit or a capital inside."""
    return bool(re.search(r"\w[_./:]\w|\w\(|^--?\w|\d|^_|^[a-z]+[A-Z]|^[A-Z][a-z]+[A-Z]|^[A-Z]{2,}", word))
