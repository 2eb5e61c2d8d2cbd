"""Articles and blog posts on pages that no rule knows: the stretch that holds the page's sentences, without what is set around and into it.

In: the light tree of a page's body. Out: the element that holds the article, pruned in place. Figures: `bench/extraction.py`, articles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from pincite.extract.dom import Element, Page

LEAST = 0.12
"""Share of the page's sentences below which nothing is taken for its article."""
CODES = 8
"""Pieces of code in lines; a page with more is documentation: nothing in it stands beside an article."""
_TYPES = re.compile(r'"@type"\s*:\s*\[?\s*"(?:\w*Article|BlogPosting|Report)"')
_ASIDE = re.compile(
    r"comment|disqus|shar(?:e|ing)|social|relat(?:ed|ion)|recommend|recirc|promo|newsletter|subscri|sidebar|widget|foot(?:er)?\b|\bnav|menu|"
    r"breadcrumb|cookie|banner|advert|\bads?\b|sponsor|popup|modal|byline|\bbio\b|author|\btags?\b|taglist|outbrain|taboola|paywall|signup|"
    r"sign-up|trending|most-?(?:read|popular)|more-?(?:stories|on|from|news)|print|toolbar|paginat|login|registration|caption|credit|"
    r"read-?(?:more|next|also)|teaser|carousel|gallery|slideshow|player|video|timestamp|dateline|published|pub-?date|posted|meta\b|"
    r"follow|donat|also-?like|up-?next|correction|disclaimer|copyright|jump-?link|skip|hidden|infobox|factbox|pullquote|pull-quote|tooltip|slider|\brecent",
    re.I,
)
_BODY = re.compile(
    r"article-?_?(?:body|content|text)|post-?_?(?:body|content)|"
    r"entry-?content|story-?_?(?:body|content|text)|main-?content|body-?copy",
    re.I,
)
_MORE = re.compile(r"\W*more\b.*\b(?:stories|news|articles|posts|reading|from)\b", re.I)
_CARD = frozenset(("div", "p", "h2", "h3", "h4", "h5"))
_SHORT = frozenset(("p", "div", "strong", "h2", "h3", "h4", "h5", "h6"))
_ASIDE_INLINE = re.compile(r"caption|credit|tooltip|popover|popup|hover-?card|rollover-[\w-]*block", re.I)
"""What stands beside a text though it is drawn as a part of a line."""
_ADDRESS = re.compile(r"\W*(?:https?:|www\.)\S+$")
_STOP = re.compile(r"[.!?…。！？][»”\"')\]]*\s*$")
_END = re.compile(r"[.!?…。！？»”\"')\]]\s*$")
_LEAD_AWAY = re.compile(
    r"\W*(?:read (?:more|next|also)|related:|see (?:more|also)|related(?: news| stories| articles?)?\s*:?$|also read|must read|"
    r"follow-up read|don.?t miss|more from|more on |follow us|follow @|subscribe|sign up|advert(?:isement)?\W*$|leia (?:também|mais)|"
    r"lire aussi|à lire aussi|lesen sie|mehr zum|click here|get the latest|have a tip|tags?\s*:|share this|updated? at |published on )",
    re.I,
)
"""Lines that lead away from the text."""
_INLINE = frozenset(("a", "span", "b", "strong", "em", "i", "u", "code", "mark", "abbr", "sup", "sub"))
_ROWS = frozenset(("tr", "td", "th", "tbody", "thead"))
"""What is no box of its own, whatever it is called."""
_LEAVES = frozenset(("p", "pre", "blockquote", "li", "table", "tr", "td", "ul", "ol", "dl", "figure"))
_WORDY = frozenset(("p", "blockquote", "pre", "td", "li", "dd", "div", "section", "article", "figcaption", "h2", "h3", "h4"))
_SAYING = frozenset(("p", "blockquote", "pre", "div", "td", "li", "section", "article", "dd"))
"""Whose own words are looked at for sentences."""
_HOLDING = frozenset(("div", "section", "article", "main", "td", "body", "span"))
_BESIDE = frozenset(("aside", "footer", "nav", "form"))
_WHOLE = frozenset(("html", "body", "main"))
_GROUPS = frozenset(
    ("ul", "ol", "div", "section", "aside", "table", "dl", "figure", "footer", "header", "form", "p", "details", "nav", "center")
)


@dataclass(slots=True)
class _Sums:
    """What stands below one element, in characters."""

    text: int = 0
    linked: int = 0
    sentences: int = 0
    """Characters in paragraphs that read like sentences."""
    paragraphs: int = 0


_NOTHING = _Sums()


@dataclass(frozen=True, slots=True)
class _Measure:
    sums: dict[int, _Sums]

    def of(self, element: Element) -> _Sums:
        return self.sums.get(id(element)) or _NOTHING

    def mass(self, element: Element) -> float:
        """What an element weighs: its sentences, and a little for other text that is not linked."""
        sums = self.of(element)
        return sums.sentences + 0.15 * (sums.text - sums.linked)


def is_article(page: Page, *, marked: bool) -> bool:
    """Say whether to read a page as an article: it calls itself one, or nothing in it marks the content, and it shows little code."""
    code = len(page.select("pre"))
    if code > 3 or len(page.select("code")) > CODES:
        return False
    if not marked:
        return True
    signs = int(page.attribute("meta[property='og:type']", "content").lower() == "article")
    signs += page.one("[itemprop=articleBody], [itemtype*='Article'], [itemtype*='BlogPosting']") is not None
    signs += page.one("meta[property='article:published_time'], meta[name*='publish' i], meta[itemprop=datePublished]") is not None
    signs += page.one("article time, .post-content, .entry-content, .byline, [rel=author], .post-date, .entry-date") is not None
    signs += any(_TYPES.search(raw.text) for raw in page.select("script[type='application/ld+json']"))
    return signs >= (2 if code else 1)


def find(body: Element) -> Element | None:
    """Return the element that holds the article, what does not belong to it removed in place; None where too little would be left.

    A tree without sentences is returned as it came.
    """
    measure = _measured(body)
    whole = measure.of(body).sentences
    if not whole:
        return body
    if _drop_asides(body, measure, whole):
        measure = _measured(body)
    article = _descend(_named(body, measure), measure)
    _prune(article, measure, measure.of(article).sentences)
    _trim(article)
    return article if len(article.words()) > whole * LEAST else None


def _named(body: Element, measure: _Measure) -> Element:
    """Return what the page itself calls its article: the first that holds much of the sentences; others are teasers."""
    articles = [e for e in body.walk() if e.tag == "article" or e.get("role") == "article"]
    most = max((measure.of(e).sentences for e in articles), default=0)
    article = next((e for e in articles if measure.of(e).sentences >= max(1, most * 0.4)), None)
    titled = [e for e in articles if measure.of(e).sentences and _titled(e)]
    article = titled[0] if len(titled) == 1 else article
    if article is None or measure.of(article).sentences < measure.of(body).sentences * LEAST:
        article = body
    inner = [e for e in article.walk() if e.tag in _HOLDING and (_named_body(_name(e)) or e.get("itemprop") == "articleBody")]
    most = max((measure.of(e).sentences for e in inner), default=0)
    found = next((e for e in inner if measure.of(e).sentences >= max(1, most * 0.5)), None)
    if found is not None and measure.of(found).sentences > measure.of(article).sentences * (0.6 if article is not body else 0.4):
        return found
    return article


def _titled(article: Element) -> bool:
    """Say whether the page's main heading stands in an article itself, not in one inside it."""
    heading = article.first("h1")
    return heading is not None and next((a for a in heading.ancestors() if a.tag == "article"), None) is article


def _measured(root: Element) -> _Measure:
    known: dict[int, _Sums] = {}
    for element in reversed(list(root.walk())):
        text = linked = sentences = paragraphs = own = 0
        for kid in element.kids:
            if kid.__class__ is Element:
                below = known[id(kid)]
                text += below.text
                linked += below.linked
                sentences += below.sentences
                paragraphs += below.paragraphs
                if kid.tag not in _WORDY:
                    own += below.text
            else:
                length = len(kid.strip())  # type: ignore[union-attr]
                text += length
                own += length
        tag = element.tag
        if tag == "a":
            linked = text
        if own >= 25 and not sentences and tag in _SAYING:
            loose = 1.0 - linked / max(1, text)
            words = element.words() if loose > 0.5 else ""
            if words.count(" ") > 4 and (len(words) > 140 or _END.search(words)):
                sentences = int(len(words) * loose * (1.0 if tag in ("p", "blockquote", "pre") else 0.6))
                paragraphs = 1
        known[id(element)] = _Sums(text, linked, sentences, paragraphs)
    return _Measure(known)


def _name(element: Element) -> str:
    return " ".join((*element.classes, element.get("id"), element.get("data-component"), element.get("role")))


@lru_cache(maxsize=8192)
def _named_aside(name: str) -> bool:
    """Say whether classes and ids are those of what stands beside a text."""
    return _ASIDE.search(name) is not None and _BODY.search(name) is None


@lru_cache(maxsize=8192)
def _named_body(name: str) -> bool:
    return _BODY.search(name) is not None


def _drop_asides(root: Element, measure: _Measure, whole: int) -> bool:
    """Remove what names itself as standing beside the text, unless it holds a good part of the page's sentences. Say whether any did."""
    dropped = False
    for element in list(root.walk()):
        beside = [
            kid
            for kid in element.kids
            if kid.__class__ is Element
            and kid.tag not in _WHOLE
            and (kid.tag in _BESIDE or _named_beside(kid))
            and measure.of(kid).sentences < whole * 0.3
            and not _quotes(kid)
        ]
        if beside:
            dropped = True
            _remove(element, beside)
    return dropped


def _remove(element: Element, kids: list[Element]) -> None:
    gone = {id(kid) for kid in kids}
    element.kids = [kid for kid in element.kids if id(kid) not in gone]


def _named_beside(element: Element) -> bool:
    if element.tag in _INLINE:
        return bool(element.classes) and element.tag not in ("a", "code") and _ASIDE_INLINE.search(" ".join(element.classes)) is not None
    return element.tag not in _ROWS and _named_aside(_name(element))


def _quotes(element: Element) -> bool:
    """Say whether an element is, or is set around, something that is quoted: an embedded post is part of the text."""
    if element.tag == "blockquote":
        return True
    below = [e for e in element.walk() if e.tag == "blockquote"]
    return len(below) == 1 and len(below[0].words()) > len(element.words()) * 0.8


def _descend(root: Element, measure: _Measure) -> Element:
    """Go down while one child holds nearly all of the sentences."""
    best = root
    while True:
        total = measure.mass(best)
        heavy = max(best.elements(), key=measure.mass, default=None)
        if heavy is None or measure.mass(heavy) < total * 0.75 or heavy.tag in _LEAVES:
            return best
        best = heavy


def _prune(root: Element, measure: _Measure, whole: int) -> None:
    """Remove link lists and boxes inside the article."""
    for element in list(root.walk()):
        boxes: list[Element] = []
        before: Element | None = None
        for kid in element.elements():
            if (kid.tag in _GROUPS and _is_box(kid, measure.of(kid), whole)) or (kid.tag == "a" and _is_card(kid)):
                boxes.append(kid)
            elif before is not None and kid.tag in ("ul", "ol") and _is_further(before, kid):
                boxes += [before, kid]
            before = kid
        if boxes:
            _remove(element, boxes)


def _is_card(link: Element) -> bool:
    """Say whether a link is a box of its own, with a heading or paragraphs in it."""
    return link.parent is not None and link.parent.tag not in _LEAVES and any(e.tag in _CARD for e in link.walk())


def _is_further(heading: Element, links: Element) -> bool:
    """Say whether a heading and the list under it lead to other pages."""
    words = heading.words() if heading.tag in _SHORT else ""
    if not words or len(words) > 60 or not (_LEAD_AWAY.match(words) or _MORE.match(words)):
        return False
    return all(item.first("a") is not None for item in links.elements())


def _is_box(element: Element, sums: _Sums, whole: int) -> bool:
    if not sums.text or sums.sentences > whole * 0.3:
        return False
    linked = sums.linked / sums.text
    words = element.words() if sums.text < 220 else ""
    if words and _LEAD_AWAY.match(words):
        return True
    if element.tag == "p":
        return _leads_away(element, sums, words)
    if element.tag in ("ul", "ol", "table", "dl"):
        return linked > 0.6
    return linked > 0.5 and sums.paragraphs <= 1


def _leads_away(paragraph: Element, sums: _Sums, words: str) -> bool:
    """Say whether a paragraph is there for its links: one that is no sentence and no address, or several."""
    linked = sums.linked / sums.text
    if linked > 0.9 and sums.text < 200 and not _STOP.search(words):
        return not _ADDRESS.match(words)
    return linked > 0.75 and sums.text < 300 and sum(1 for e in paragraph.walk() if e.tag == "a") > 1


def _trim(root: Element) -> None:
    """Remove headings that nothing follows."""
    while root.kids:
        last = root.kids[-1]
        if isinstance(last, str):
            if last.strip():
                return
        elif last.tag in ("h1", "h2", "h3", "h4", "h5", "h6") or (not last.text().strip() and last.first("img") is None):
            pass
        else:
            if last.tag in ("div", "section", "article"):
                _trim(last)
                if not last.kids:
                    root.kids.pop()
                    continue
            return
        root.kids.pop()
