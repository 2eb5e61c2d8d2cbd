"""In: one page for each construct, written for it. Out: the exact Markdown that our writer makes of it."""

from __future__ import annotations

import pytest

from pincite.extract import html, rules
from pincite.extract.reading import Reading

URL = "https://docs.example.org/guide/page.html"


def read(body: str) -> Reading:
    return html.read(f"<html><body><main>{body}</main></body></html>", URL, rules.shipped())


CONSTRUCTS = {
    "headings keep their levels": ("<h1>One</h1><h3>Three</h3>", "# One\n\n### Three\n"),
    "permalinks leave headings": ('<h2 id="a">Use it<a class="headerlink" href="#a">¶</a></h2>', "## Use it\n"),
    "a link that is the heading": ('<h2 id="a"><a class="header" href="#a">Use it</a></h2>', "## Use it\n"),
    "a direct link after the words": ('<h2>Use<a aria-label="Direct link to Use" href="#use">\u200b</a></h2>', "## Use\n"),
    "emphasis hugs its words": ("<p>a<b> bold </b>b <em>c</em></p>", "a **bold** b *c*\n"),
    "code with a tick": ("<p><code>a`b</code></p>", "``a`b``\n"),
    "marks in words are escaped": ("<p>2*3 and _x_ &lt;b&gt; and snake_case</p>", "2\\*3 and \\_x\\_ \\<b> and snake_case\n"),
    "a line that looks like a list": ("<p>1. not a list</p><p># no heading</p>", "1\\. not a list\n\n\\# no heading\n"),
    "links are absolute": ('<p><a href="../x.html#y">there</a></p>', "[there](https://docs.example.org/x.html#y)\n"),
    "images keep their alt": ('<p><img src="i.png" alt="a box"></p>', "![a box](https://docs.example.org/guide/i.png)\n"),
    "breaks": ("<p>one<br>two</p>", "one\\\ntwo\n"),
    "sub, sup and keys": ("<p>H<sub>2</sub>O x<sup>2</sup> <kbd>Ctrl</kbd></p>", "H<sub>2</sub>O x<sup>2</sup> `Ctrl`\n"),
    "a list": ("<ul><li>a</li><li>b</li></ul>", "- a\n- b\n"),
    "a numbered list that starts later": ('<ol start="3"><li>a</li><li>b</li></ol>', "3. a\n4. b\n"),
    "a nested list": ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n\n  - b\n- c\n"),
    "paragraphs in an item": ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b\n"),
    "a quote": ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b\n"),
    "code with its language": ('<pre><code class="language-js">a\n  b</code></pre>', "```js\na\n  b\n```\n"),
    "code in a named box": (
        '<div class="highlight-python3"><div class="highlight"><pre><span>a</span></pre></div></div>',
        "```python3\na\n```\n",
    ),
    "a fence longer than what it holds": ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````\n"),
    "line numbers in a table": (
        '<table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre></td><td class="code"><pre>a\nb</pre></td></tr></table>',
        "```\na\nb\n```\n",
    ),
    "line numbers in spans": ('<pre><span class="lineno">1 </span>a\n<span class="lineno">2 </span>b</pre>', "```\na\nb\n```\n"),
    "lines without line ends": (
        '<pre><code><span class="token-line">a</span><span class="token-line">b</span></code></pre>',
        "```\na\nb\n```\n",
    ),
    "a fragment of lines": (
        '<div class="fragment"><div class="line">int a;</div><div class="line">int b;</div></div>',
        "```\nint a;\nint b;\n```\n",
    ),
    "prompts stay, copy buttons go": ("<pre>$ ls<button>Copy</button></pre>", "```\n$ ls\n```\n"),
    "a table": (
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>c|d</td><td><code>e|f</code></td></tr></tbody></table>",
        "| a | b |\n| --- | --- |\n| c\\|d | `e\\|f` |\n",
    ),
    "cells over rows and columns": (
        '<table><tr><th colspan="2">h</th></tr><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></table>',
        "| h | |\n| --- | --- |\n| a | b |\n| a | c |\n",
    ),
    "a table with a caption and lists": (
        "<table><caption>Sizes</caption><tr><th>x</th><th>y</th></tr><tr><td><ul><li>a</li><li>b</li></ul></td><td>c</td></tr></table>",
        "Sizes\n\n| x | y |\n| --- | --- |\n| a <br>b | c |\n",
    ),
    "a definition list": ("<dl><dt>term</dt><dd><p>what it is</p><p>more</p></dd></dl>", "term\n:   what it is\n\n    more\n"),
    "two terms with one description": ("<dl><dt>a</dt><dt>b</dt><dd>both</dd></dl>", "a\nb\n:   both\n"),
    "an API signature": (
        '<dl class="py function"><dt class="sig sig-object py" id="m.f"><span class="sig-prename descclassname">m.</span>'
        '<span class="sig-name descname">f</span>(<em>x</em>)<a class="headerlink" href="#m.f">¶</a></dt><dd><p>Does it.</p></dd></dl>',
        "`m.f(x)`\n:   Does it.\n",
    ),
    "an admonition with title": (
        '<div class="admonition warning"><p class="admonition-title">Mind this</p><p>Body.</p></div>',
        "> [!warning] Mind this\n>\n> Body.\n",
    ),
    "an admonition without title": ('<div class="alert alert-info"><p>Body.</p></div>', "> [!info]\n> Body.\n"),
    "details": ("<details><summary>More</summary><p>Body.</p></details>", "**More**\n\nBody.\n"),
    "inline TeX": ('<p>so <span class="math notranslate">\\(x^2\\)</span></p>', "so $x^2$\n"),
    "hidden text goes": ('<p>a</p><div style="display:none">b</div><p hidden>c</p>', "a\n"),
    "navigation goes": ('<nav><a href="x">x</a></nav><p>a</p><div class="toc"><ul><li>b</li></ul></div>', "a\n"),
    "tabs keep their labels": (
        '<div class="tabbed-set"><div class="tabbed-labels"><label>Linux</label><label>Windows</label></div><div class="tabbed-content">'
        '<div class="tabbed-block"><p>apt</p></div><div class="tabbed-block"><p>winget</p></div></div></div>',
        "**Linux**\n\napt\n\n**Windows**\n\nwinget\n",
    ),
}


@pytest.mark.parametrize(("body", "markdown"), CONSTRUCTS.values(), ids=CONSTRUCTS)
def test_construct_becomes_this_markdown(body: str, markdown: str) -> None:
    assert read(body).text == markdown


@pytest.mark.parametrize(
    ("body", "anchor"),
    [
        pytest.param('<h2 id="own">H</h2>', "own", id="its own"),
        pytest.param('<section id="around"><h2>H</h2></section>', "around", id="of the section it opens"),
        pytest.param('<h2><a id="in"></a>H</h2>', "in", id="inside it"),
        pytest.param('<a id="before"></a><h2>H</h2>', "before", id="just before it"),
        pytest.param('<div id="content"><h2>H</h2></div>', None, id="none where only the layout has one"),
        pytest.param('<div id="x"><p>words</p><h2>H</h2></div>', None, id="none where other words come first"),
    ],
)
def test_heading_takes_the_pages_own_id(body: str, anchor: str | None) -> None:
    heading = next(s for s in read(body).sections if s.kind == "heading")
    assert heading.anchor == anchor


def test_blocks_carry_the_nearest_id() -> None:
    page = read('<h2 id="h">H</h2><p>one</p><p id="p">two</p><dl><dt id="t">term</dt><dd>three</dd></dl><h2>No id</h2><p>four</p>')
    assert [(b.kind, b.anchor) for b in page.blocks] == [
        ("heading", "h"),
        ("paragraph", "h"),
        ("paragraph", "p"),
        ("term", "t"),
        ("paragraph", "t"),
        ("heading", None),
        ("paragraph", None),
    ]


def test_terms_are_sections_that_end_with_their_description() -> None:
    page = read("<h2>H</h2><dl><dt>term</dt><dd>what</dd></dl><p>after</p>")
    assert [(s.kind, s.path) for s in page.sections] == [("root", ()), ("heading", ("H",)), ("term", ("H", "term"))]
    assert page.blocks[-1].section == 1
    assert page.sections[2].span.of(page.text).strip() == "term\n:   what"


def test_page_says_what_it_is() -> None:
    page = html.read(
        '<html lang="pt_br"><head><title> A  title </title><link rel="canonical" href="/c"><meta name="robots" content="noindex"></head>'
        "<body><main><p>words</p></main></body></html>",
        URL,
        rules.shipped(),
    )
    assert (page.title, page.language, page.canonical_url, page.flags) == ("A title", "pt-BR", "https://docs.example.org/c", ("noindex",))
