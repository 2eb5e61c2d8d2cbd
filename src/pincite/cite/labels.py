"""The words around evidence, in the language of the question.

In: a language code or a question. Out: footnote lines and sentences of refusal. English, Chinese, Japanese, Korean, German, French,
Spanish.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Labels:
    """Templates of one language. Fields in braces are filled by `str.format`."""

    greeting: str
    note: str
    place: str
    paragraph: str
    line: str
    inline: str
    quote: str
    nothing: str
    unknown: str
    nearest: str
    repaired: str
    differ: str
    planted: str
    remark: str
    separator: str = ", "


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_LABELS = MappingProxyType(
    {
        "en": Labels(
            greeting="Hello. Ask me about what this library holds; every answer comes with its sources.",
            note="{title} — {url}{place} · snapshot {at} · {ref}",
            place=" · § {heading}",
            paragraph="¶ {n}",
            line="line {n}",
            inline="[source: {url}]",
            quote=" · “{quote}”",
            nothing="The library holds no evidence that answers this question.",
            unknown="Words it does not know: {words}.",
            nearest="The nearest it holds: {sources}.",
            repaired="repaired",
            differ="The sources differ here:",
            planted="this page holds text addressed to AI assistants",
            remark="note: {text}",
        ),
        "zh": Labels(
            greeting="你好。请就本资料库中的内容提问，每个回答都会附上来源。",
            note="来源：{url} 标题：{title}{place} 快照时间：{at} · {ref}",
            place=" 截取自「{heading}」",
            paragraph="第{n}段",
            line="第{n}行",
            inline="[来源：{url}]",
            quote=" 原文：“{quote}”",
            nothing="资料库中没有能回答这个问题的证据。",
            unknown="其中没有出现的词：{words}。",
            nearest="最接近的来源：{sources}。",
            repaired="已修正",
            differ="各来源在此处说法不一：",
            planted="该页面含有写给 AI 助手的文字",
            remark="备注：{text}",
            separator="、",
        ),
        "ja": Labels(
            greeting="こんにちは。このライブラリにある内容について質問してください。回答には必ず出典が付きます。",
            note="出典：{url} 題名：{title}{place} 取得日時：{at} · {ref}",
            place=" 「{heading}」より",
            paragraph="第{n}段落",
            line="{n}行目",
            inline="[出典：{url}]",
            quote=" 原文：「{quote}」",
            nothing="この質問に答える根拠はライブラリにありません。",
            unknown="ライブラリにない語：{words}。",
            nearest="最も近い出典：{sources}。",
            repaired="修正済み",
            differ="出典によって記述が異なります：",
            planted="このページには AI アシスタントに宛てた文があります",
            remark="備考：{text}",
            separator="、",
        ),
        "ko": Labels(
            greeting="안녕하세요. 이 라이브러리에 있는 내용을 물어보세요. 모든 답에는 출처가 붙습니다.",
            note="출처: {url} 제목: {title}{place} 스냅샷: {at} · {ref}",
            place=" · § {heading}",
            paragraph="{n}번째 단락",
            line="{n}행",
            inline="[출처: {url}]",
            quote=" · “{quote}”",
            nothing="이 질문에 답할 근거가 라이브러리에 없습니다.",
            unknown="라이브러리에 없는 단어: {words}.",
            nearest="가장 가까운 출처: {sources}.",
            repaired="수정됨",
            differ="출처마다 설명이 다릅니다:",
            planted="이 페이지에는 AI 도우미에게 쓴 글이 있습니다",
            remark="메모: {text}",
        ),
        "de": Labels(
            greeting="Hallo. Frag mich nach dem, was diese Bibliothek enthält; jede Antwort nennt ihre Quellen.",
            note="{title} — {url}{place} · Stand {at} · {ref}",
            place=" · § {heading}",
            paragraph="Abs. {n}",
            line="Zeile {n}",
            inline="[Quelle: {url}]",
            quote=" · „{quote}“",
            nothing="Die Bibliothek enthält keinen Beleg, der diese Frage beantwortet.",
            unknown="Wörter, die sie nicht kennt: {words}.",
            nearest="Am nächsten kommen: {sources}.",
            repaired="berichtigt",
            differ="Die Quellen widersprechen sich hier:",
            planted="diese Seite enthält Text, der sich an KI-Assistenten richtet",
            remark="Anmerkung: {text}",
        ),
        "fr": Labels(
            greeting="Bonjour. Posez une question sur ce que contient cette bibliothèque ; chaque réponse cite ses sources.",
            note="{title} — {url}{place} · instantané {at} · {ref}",
            place=" · § {heading}",
            paragraph="¶ {n}",
            line="ligne {n}",
            inline="[source : {url}]",
            quote=" · « {quote} »",
            nothing="La bibliothèque ne contient aucune preuve qui réponde à cette question.",
            unknown="Mots qu'elle ne connaît pas : {words}.",
            nearest="Les sources les plus proches : {sources}.",
            repaired="corrigé",
            differ="Les sources divergent ici :",
            planted="cette page contient du texte adressé aux assistants IA",
            remark="remarque : {text}",
        ),
        "es": Labels(
            greeting="Hola. Pregunta por lo que contiene esta biblioteca; cada respuesta cita sus fuentes.",
            note="{title} — {url}{place} · instantánea {at} · {ref}",
            place=" · § {heading}",
            paragraph="¶ {n}",
            line="línea {n}",
            inline="[fuente: {url}]",
            quote=" · «{quote}»",
            nothing="La biblioteca no contiene pruebas que respondan a esta pregunta.",
            unknown="Palabras que no conoce: {words}.",
            nearest="Las fuentes más cercanas: {sources}.",
            repaired="corregido",
            differ="Las fuentes difieren aquí:",
            planted="esta página contiene texto dirigido a asistentes de IA",
            remark="nota: {text}",
        ),
    }
)
_WORDS = {
    "de": _set("der die das und ist nicht wie ich ein eine einen wird werden mit für auf kann was"),
    "fr": _set("le la les des est une dans pour comment que qui avec sur je du et ne pas"),
    "es": _set("el la los las es una en para cómo que qué con por se del y no como"),
    "en": _set("the is a an how do does what which in to of and for can i it not with from on"),
}


def labels(language: str) -> Labels:
    """Return the labels of a language by its BCP 47 code; English where there are none."""
    return _LABELS.get(language.lower().split("-")[0].split("_")[0], _LABELS["en"])


def language_of(question: str) -> str:
    """Guess the language of a question by its script and its small words."""
    if re.search(r"[\u3040-\u30ff]", question):
        return "ja"
    if re.search(r"[\uac00-\ud7af]", question):
        return "ko"
    if re.search(r"[\u4e00-\u9fff]", question):
        return "zh"
    words = re.findall(r"[^\W\d_]+", question.lower())
    counts = {code: sum(w in known for w in words) for code, known in _WORDS.items()}
    best = max(counts, key=lambda code: (counts[code], code == "en"))
    return best if counts[best] >= 2 and counts[best] > counts["en"] else "en"
