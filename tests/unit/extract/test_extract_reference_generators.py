"""In: reference pages shaped as their generators shape them, written for the case. Out: the rule, the Markdown, the page's own ids."""

from __future__ import annotations

import pytest

from pincite.extract import html, rules

PAGES = {
    "Doxygen class": (
        '<meta name="generator" content="Doxygen 1.9.4"><div id="doc-content"><div class="header"><div class="summary">'
        '<a href="#pub-methods">Public Member Functions</a> | <a href="all.html">List of all members</a></div>'
        '<div class="headertitle"><div class="title">Kiln Class Reference</div></div></div><div class="contents">'
        '<table class="memberdecls"><tr class="heading"><td colspan="2"><h2 class="groupheader"><a id="pub-methods"></a>Public Member '
        'Functions</h2></td></tr><tr class="memitem:a1"><td class="memItemLeft">int&#160;</td><td class="memItemRight">'
        '<a class="el" href="#a1">heat</a> (int up)</td></tr><tr class="memitem:a2"><td class="memItemLeft">&#160;</td>'
        '<td class="memItemRight"><a class="el" href="#a2">Kiln</a> ()</td></tr></table>'
        '<dl class="section warning"><dt>Warning</dt><dd>It is <code>hot</code> inside.</dd></dl></div></div>',
        "doxygen",
        "# Kiln Class Reference\n\n## Public Member Functions\n\nint\xa0 [heat](https://d.example.org/g/p.html#a1) (int up)\n\n"
        "[Kiln](https://d.example.org/g/p.html#a2) ()\n\n> [!warning] Warning\n>\n> It is `hot` inside.\n",
    ),
    "Javadoc table of members": (
        '<meta name="generator" content="javadoc/17"><main><section class="method-summary" id="method-summary"><ul class="summary-list">'
        '<li><h2>Method Summary</h2><div class="summary-table two-column-summary"><div class="table-header col-first">Type</div>'
        '<div class="table-header col-last">Method</div><div class="col-first even-row-color"><code>void</code></div>'
        '<div class="col-last even-row-color"><code><a href="#fire()">fire</a>()</code><div class="block">Fires it.</div></div></div>'
        "</li></ul></section></main>",
        "javadoc",
        "## Method Summary\n\n| Type | Method |\n| --- | --- |\n| `void` | `fire()` <br>Fires it. |\n",
    ),
    "Javadoc 8": (
        '<div class="topNav"><ul><li>Overview</li></ul></div><div class="header"><div class="subTitle">org.kiln</div>'
        '<h2 class="title">Class Kiln</h2></div><div class="contentContainer"><ul class="blockList"><li class="blockList">'
        '<a name="fire--"><!-- --></a><h4>fire</h4><pre>public void fire()</pre></li></ul></div>',
        "javadoc",
        "## Class Kiln\n\n#### fire\n\n```\npublic void fire()\n```\n",
    ),
    "Scaladoc": (
        '<link href="../lib/template.css" rel="stylesheet"><div id="definition"><h1>Kiln</h1></div><div id="mbrsel"><ol><li>Alphabetic'
        '</li></ol></div><div id="template"><div id="allMembers"><div id="values"><h3>Value Members</h3><ol><li><a id="fire():Unit"></a>'
        '<h4 class="signature"><span class="kind">def</span> <span class="symbol">fire(): Unit</span></h4><span class="permalink">'
        '<a href="#x"><img src="p.png" alt="Permalink"></a></span><div class="fullcomment"><dl><dt>Definition Classes</dt>'
        '<dd>Kiln</dd></dl></div></li></ol></div></div></div><div id="inheritedMembers"><h3>Inherited from Any</h3></div>',
        "scaladoc",
        "# Kiln\n\n### Value Members\n\n#### def fire(): Unit\n\nDefinition Classes\n:   Kiln\n",
    ),
    "Haddock": (
        '<div id="package-header"><span class="caption">kiln-1.0</span></div><div id="content"><div id="module-header">'
        '<p class="caption">Data.Kiln</p></div><div id="interface"><h1 id="g:1">Firing</h1><div class="top"><p class="src">'
        '<a id="v:fire" class="def">fire</a> :: <a href="K.html">Kiln</a> -&gt; Pot <a href="src/K.html" class="link">Source</a> '
        '<a href="#v:fire" class="selflink">#</a></p><div class="doc"><p>Fires a pot.</p></div></div></div></div>',
        "haddock",
        "Data.Kiln\n\n# Firing\n\n`fire :: Kiln -> Pot`\n\nFires a pot.\n",
    ),
    "Nim": (
        '<div id="documentId"><div class="container"><h1 class="title">kiln</h1><div class="three columns"><ul id="toc-list"><li>Procs</li>'
        '</ul></div><div id="content"><dl class="item"><a href="pot.html">pot</a>, <a href="glaze.html">glaze</a></dl><dl class="item">'
        '<div id="fire"><dt><pre>proc fire(p: Pot): bool</pre></dt><dd>Fires it. <a class="link-seesrc" href="k.nim">Source</a>'
        "</dd></div></dl></div></div></div>",
        "nim",
        "# kiln\n\n[pot](https://d.example.org/g/pot.html), [glaze](https://d.example.org/g/glaze.html)\n\n"
        "```\nproc fire(p: Pot): bool\n```\n:   Fires it.\n",
    ),
    "Node.js": (
        '<div id="content"><div id="column2"><ul><li><a href="dns.html">DNS</a></li></ul></div><div id="column1"><header><h1>Node.js '
        'documentation</h1></header><div id="apicontent"><h2>Kiln<span><a class="mark" href="#kiln" id="kiln">#</a></span></h2>'
        "<p>Fires a pot at once.</p></div></div></div>",
        "node",
        "## Kiln\n\nFires a pot at once.\n",
    ),
    "Crystal": (
        '<meta name="generator" content="Crystal Docs 1.6.0"><div class="sidebar"><h1>Kiln</h1></div><div class="main-content">'
        '<h1 class="type-name">class Kiln</h1><h2><a id="constructors" class="anchor" href="#constructors"><svg></svg></a>Constructors</h2>'
        '<div id="new"><div class="signature">def self.<strong>new</strong> <a class="method-permalink" href="#new">#</a>'
        "</div></div></div>",
        "crystal",
        "# class Kiln\n\n## Constructors\n\ndef self.**new**\n",
    ),
    "gi-docgen": (
        '<div id="body-wrapper"><nav class="sidebar">Kiln</nav><section id="main" class="content"><section>'
        '<h4 id="description">Description <a href="https://g.example.org/k.c" class="srclink">[src]</a></h4><p>Fires it.</p>'
        "</section></section></div>",
        "gi-docgen",
        "#### Description\n\nFires it.\n",
    ),
    "qdoc": (
        '<link rel="stylesheet" href="style/offline-simple.css"><div class="header" id="qtdocheader"><div class="main">'
        '<div class="navigationbar"><ul><li>Qt 5</li></ul></div><div class="content"><div class="sidebar"><div class="toc"><h3>Contents'
        '</h3></div></div><h1 class="title">QKiln Class</h1><h3 class="fn" id="fire"><a name="fire"></a>void QKiln::<span class="name">'
        "fire</span>()</h3><p>Fires it.</p></div></div></div>",
        "qdoc",
        "# QKiln Class\n\n### void QKiln::fire()\n\nFires it.\n",
    ),
    "Texinfo": (
        '<meta name="Generator" content="makeinfo"><div class="section" id="Firing"><div class="header"><p>Next: '
        '<a href="Glaze.html" accesskey="n">Glaze</a></p></div><hr><h3 class="section">2.1 Firing</h3><dl><dt id="index-heat"><code>heat'
        "</code><a href='#index-heat' class='copiable-anchor'> &para;</a></dt><dd><div><pre class=example>kiln heat 900"
        "</pre></div></dd></dl></div>",
        "texinfo",
        "### 2.1 Firing\n\n`heat`\n:\n    ```\n    kiln heat 900\n    ```\n",
    ),
    "LaTeX2HTML": (
        '<META NAME="Generator" CONTENT="LaTeX2HTML v2022"><div class="navigation"><a href="n.html"><img alt="next" src="n.png"></a></div>'
        '<h1><a id="S1">Firing</a></h1><p>Slowly, over a day and a night.</p><address>gnu</address>',
        "latex2html",
        "# Firing\n\nSlowly, over a day and a night.\n",
    ),
    "fpdoc": (
        '<link rel="stylesheet" href="../fpdoc.css"><table class="bar"><tr><td>[Overview]</td><td>Reference</td></tr></table>'
        "<h1>TKiln.Fire</h1><p>Fires it.</p>",
        "fpdoc",
        "# TKiln.Fire\n\nFires it.\n",
    ),
}


@pytest.mark.parametrize(("body", "rule", "markdown"), PAGES.values(), ids=PAGES)
def test_reference_page_becomes_this_markdown(body: str, rule: str, markdown: str) -> None:
    page = html.read(f"<!doctype html><html><body>{body}</body></html>", "https://d.example.org/g/p.html", rules.shipped())
    assert (page.rule, page.text) == (rule, markdown)


@pytest.mark.parametrize(
    ("body", "anchors"),
    [
        pytest.param('<main><a name="fire"></a><h2>Fire</h2><p>Hot.</p></main>', {"fire"}, id="a name before a heading"),
        pytest.param('<main><h2><a name="fire"></a>Fire</h2><p>Hot.</p></main>', {"fire"}, id="a name in a heading"),
        pytest.param('<main><h2 id="f1"><a name="fire"></a>Fire</h2><p>Hot.</p></main>', {"f1"}, id="an id counts before a name"),
        pytest.param('<main><h2>Fire</h2><p><input name="heat">Hot.</p></main>', {None}, id="only an a is found by its name"),
    ],
)
def test_names_of_old_pages_are_anchors(body: str, anchors: set[str | None]) -> None:
    page = html.read(f"<!doctype html><html><body>{body}</body></html>", "https://d.example.org/g/p.html", rules.shipped())
    assert {block.anchor for block in page.blocks} == anchors


def test_line_of_an_admonition_stays_one_paragraph() -> None:
    body = '<main><div class="note">Set <code>heat</code> to <b>900</b>, no more.</div></main>'
    page = html.read(f"<!doctype html><html><body>{body}</body></html>", "https://d.example.org/g/p.html", rules.shipped())
    assert page.text == "> [!note]\n> Set `heat` to **900**, no more.\n"


def test_code_of_a_definition_in_a_quote_begins_on_a_line_of_its_own() -> None:
    body = "<main><blockquote><dl><dt>heat</dt><dd><pre>kiln heat</pre></dd></dl></blockquote></main>"
    page = html.read(f"<!doctype html><html><body>{body}</body></html>", "https://d.example.org/g/p.html", rules.shipped())
    assert page.text == "> heat\n> :\n>     ```\n>     kiln heat\n>     ```\n"
