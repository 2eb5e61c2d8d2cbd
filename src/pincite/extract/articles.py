"""Articles and blog posts on pages that no rule knows: the stretch that holds the page's sentences, without what is set around and into it.

In: the light tree of a page's body. Out: the element that holds the article, pruned in place. Figures: `bench/extraction.py`, articles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache

from pincite.extract.dom import Element, Page

_TYPES = re.compile(r'"@type"\s*:\s*\[?\s*"(?:\w*Article|BlogPosting|Report)"')
_ASIDE = re.compile(
    r"comment|disqus|shar(?:e|ing)|social|relat(?:ed|ion)|recommend|recirc|promo|newsletter|subscri|sidebar|widget|foot(?:er)?\b|\bnav|menu|"
    r"breadcrumb|cookie|banner|advert|\bads?\b|sponsor|popup|modal|byline|\bbio\b|author|\btags?\b|taglist|outbrain|taboola|paywall|signup|"
    r"sign-up|trending|most-?(?:read|popular)|more-?(?:stories|on|from|news)|print|toolbar|paginat|login|registration|caption|credit|"
    r"read-?(?:more|next|also)|teaser|carousel|gallery|slideshow|player|video|timestamp|dateline|published|pub-?date|posted|meta\b|"
    r"follow|donat|also-?like|up-?next|correction|disclaimer|copyright|jump-?link|skip|hidden|infobox|factbox|pullquote|pull-quote|tooltip",
    re.I,
)
_BODY = re.compile(
    r"article-?_?(?:body|content|text)|post-?_?(?:body|content)|"
    r"entry-?content|story-?_?(?:body|content|text)|main-?content|body-?copy",
    re.I,
)
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
_KEPT = _INLINE | _ROWS
"""What is no box of its own, whatever it is called."""
_LEAVES = frozenset(("p", "pre", "blockquote", "li", "table", "tr", "td", "ul", "ol", "dl", "figure"))
_WORDY = frozenset(("p", "blockquote", "pre", "td", "li", "dd", "div", "section", "article", "figcaption", "h2", "h3", "h4"))
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


@dataclass(slots=True)
class _Measure:
    sums: dict[int, _Sums] = field(default_factory=dict)

    def of(self, element: Element) -> _Sums:
        return self.sums.get(id(element)) or _NOTHING

    def mass(self, element: Element) -> float:
        """What an element weighs: its sentences, and a little for other text that is not linked."""
        sums = self.of(element)
        return sums.sentences + 0.15 * (sums.text - sums.linked)


def is_article(page: Page, *, marked: bool) -> bool:
    """Say whether to read a page as an article: it calls itself one, or nothing in it marks the content, and it shows little code."""
    code = len(page.select("pre"))
    if code > 3:
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
    _drop_asides(body, measure, whole)
    measure = _measured(body)
    article = _descend(_named(body, measure), measure)
    measure = _measured(article)
    _prune(article, measure, measure.of(article).sentences)
    _trim(article)
    return article if len(article.words()) > whole * 0.25 else None


def _named(body: Element, measure: _Measure) -> Element:
    """Return what the page itself calls its article: the first that holds much of the sentences; others are teasers."""
    articles = [e for e in body.walk() if e.tag == "article" or e.get("role") == "article"]
    most = max((measure.of(e).sentences for e in articles), default=0)
    article = next((e for e in articles if measure.of(e).sentences >= max(1, most * 0.4)), None)
    titled = [e for e in articles if measure.of(e).sentences and _titled(e)]
    article = titled[0] if len(titled) == 1 else article
    if article is None or measure.of(article).sentences < measure.of(body).sentences * 0.12:
        article = body
    inner = [e for e in article.walk() if e.get("itemprop") == "articleBody" or _named_body(_name(e))]
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
    measure = _Measure()
    order = list(root.walk())
    for element in reversed(order):
        sums = _Sums()
        own = 0
        for kid in element.kids:
            if isinstance(kid, str):
                own += len(kid.strip())
            else:
                below = measure.sums[id(kid)]
                sums.text += below.text
                sums.linked += below.linked
                sums.sentences += below.sentences
                sums.paragraphs += below.paragraphs
                if kid.tag not in _WORDY:
                    own += below.text
        direct = sum(len(kid.strip()) for kid in element.kids if isinstance(kid, str))
        sums.text += direct
        if element.tag == "a":
            sums.linked = sums.text
        if element.tag in ("p", "blockquote", "pre", "div", "td", "li", "section", "article", "dd") and not sums.sentences and own >= 25:
            words = element.words()
            loose = 1.0 - sums.linked / max(1, sums.text)
            if loose > 0.5 and (len(words) > 140 or _END.search(words)) and words.count(" ") > 4:
                weight = 1.0 if element.tag in ("p", "blockquote", "pre") else 0.6
                sums.sentences = int(len(words) * loose * weight)
                sums.paragraphs = 1
        measure.sums[id(element)] = sums
    return measure


def _name(element: Element) -> str:
    return " ".join((*element.classes, element.get("id"), element.get("data-component"), element.get("role")))


@lru_cache(maxsize=8192)
def _named_aside(name: str) -> bool:
    """Say whether classes and ids are those of what stands beside a text."""
    return _ASIDE.search(name) is not None and _BODY.search(name) is None


@lru_cache(maxsize=8192)
def _named_body(name: str) -> bool:
    return _BODY.search(name) is not None


def _drop_asides(root: Element, measure: _Measure, whole: int) -> None:
    """Remove what names itself as standing beside the text, unless it holds a good part of the page's sentences."""
    for element in list(root.walk()):
        kept: list[Element | str] = []
        for kid in element.kids:
            if isinstance(kid, Element) and kid.tag not in ("html", "body", "main"):
                beside = kid.tag in ("aside", "footer", "nav", "form") or (kid.tag not in _KEPT and _named_aside(_name(kid)))
                if beside and measure.of(kid).sentences < whole * 0.3 and not _quotes(kid):
                    continue
            kept.append(kid)
        element.kids = kept


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
        kept: list[Element | str] = []
        for kid in element.kids:
            if isinstance(kid, Element) and kid.tag in _GROUPS and _is_box(kid, measure.of(kid), whole):
                continue
            kept.append(kid)
        element.kids = kept


def _is_box(element: Element, sums: _Sums, whole: int) -> bool:
    if not sums.text or sums.sentences > whole * 0.3:
        return False
    linked = sums.linked / sums.text
    words = element.words() if sums.text < 220 else ""
    if words and _LEAD_AWAY.match(words):
        return True
    if element.tag == "p":
        return linked > 0.9 and sums.text < 200 and not _END.search(words)
    if element.tag in ("ul", "ol", "table", "dl"):
        return linked > 0.6
    return linked > 0.5 and sums.paragraphs <= 1


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
