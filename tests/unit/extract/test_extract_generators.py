"""In: pages shaped as each generator shapes them, written for the case. Out: the rule that knows the page, and its exact Markdown."""

from __future__ import annotations

import pytest

from pincite.extract import html, rules

PAGES = {
    "footnotes of Markdown": (
        '<main><p>Fired<sup id="fnref1"><a href="#fn1" class="footnote-ref">1</a></sup> twice.</p><section class="footnotes">'
        '<ol><li id="fn1"><p>In a kiln. <a href="#fnref1" class="footnote-backref">↩</a></p></li></ol></section></main>',
        "generic:main",
        "Fired[1](https://d.example.org/g/p.html#fn1) twice.\n\n1. In a kiln.\n",
    ),
    "footnotes of Sphinx": (
        '<div class="body" role="main"><p>Fired <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref">'
        '<span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> twice.</p>'
        '<aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span>'
        '<a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>In a kiln.</p></aside></div>',
        "generic:[role=main]",
        "Fired [[1]](https://d.example.org/g/p.html#id2) twice.\n\n[[1](https://d.example.org/g/p.html#id1)]\n\nIn a kiln.\n",
    ),
    "MathJax 3": (
        '<main><p>so <mjx-container class="MathJax" jax="SVG"><svg></svg><mjx-assistive-mml><math><semantics><mrow><mi>x</mi>'
        '</mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></mjx-assistive-mml>'
        "</mjx-container> holds</p></main>",
        "generic:main",
        "so $x^2$ holds\n",
    ),
    "MathJax 2": (
        '<main><p>so <span class="MathJax_Preview"></span><span class="MathJax" id="M1">x2</span>'
        '<script type="math/tex">x^2</script> holds</p></main>',
        "generic:main",
        "so $x^2$ holds\n",
    ),
    "MathJax 2 on a line": (
        '<main><p>so</p><div class="MathJax_Display"><span class="MathJax">x2</span></div>'
        '<script type="math/tex; mode=display">x^2</script></main>',
        "generic:main",
        "so\n\n$$\nx^2\n$$\n",
    ),
    "KaTeX": (
        '<main><p>so <span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>x</mi></mrow>'
        '<annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>'
        '<span class="katex-html" aria-hidden="true">x2</span></span> holds</p></main>',
        "generic:main",
        "so $x^2$ holds\n",
    ),
    "KaTeX on a line": (
        '<main><p>so</p><span class="katex-display"><span class="katex"><span class="katex-mathml"><math display="block">'
        '<semantics><mrow></mrow><annotation encoding="application/x-tex">x^2</annotation></semantics></math></span>'
        '<span class="katex-html">x2</span></span></span></main>',
        "generic:main",
        "so\n\n$$\nx^2\n$$\n",
    ),
    "VitePress code group": (
        '<div class="VPDoc"><div class="vp-doc">'
        '<h1 id="use" tabindex="-1">Use <a class="header-anchor" href="#use" aria-label="Permalink to &quot;Use&quot;">\u200b</a>'
        '</h1><div class="vp-code-group"><div class="tabs"><input type="radio" id="t1"><label for="t1">npm</label>'
        '<input type="radio" id="t2"><label for="t2">yarn</label></div><div class="blocks"><div class="language-sh active">'
        '<button class="copy"></button><span class="lang">sh</span><pre class="shiki"><code><span class="line">'
        '<span>npm i kiln</span></span></code></pre></div><div class="language-sh"><button class="copy"></button>'
        '<span class="lang">sh</span><pre class="shiki"><code><span class="line"><span>yarn add kiln</span></span></code></pre>'
        "</div></div></div></div></div>",
        "vitepress",
        "# Use\n\n**npm**\n\n```sh\nnpm i kiln\n```\n\n**yarn**\n\n```sh\nyarn add kiln\n```\n",
    ),
    "VitePress container": (
        '<div class="VPDoc"><div class="vp-doc"><div class="tip custom-block"><p class="custom-block-title">TIP</p>'
        "<p>Fire slowly, whatever the weather is like.</p></div></div></div>",
        "vitepress",
        "> [!tip] TIP\n>\n> Fire slowly, whatever the weather is like.\n",
    ),
    "Docusaurus tabs": (
        '<div id="__docusaurus"><main><article><div class="theme-doc-markdown markdown"><div class="tabs-container tabList_x">'
        '<ul role="tablist" class="tabs"><li role="tab" class="tabs__item">npm</li><li role="tab" class="tabs__item">yarn</li>'
        '</ul><div class="margin-top--md"><div role="tabpanel" class="tabItem_y"><p>npm i kiln, which takes a while</p></div>'
        '<div role="tabpanel" class="tabItem_y" hidden=""><p>yarn add</p></div></div></div></div></article></main></div>',
        "docusaurus",
        "**npm**\n\nnpm i kiln, which takes a while\n\n**yarn**\n\nyarn add\n",
    ),
    "Docusaurus admonition": (
        '<div id="__docusaurus"><main><article><div class="theme-doc-markdown markdown">'
        '<div class="theme-admonition theme-admonition-warning admonition_x alert alert--warning">'
        '<div class="admonitionHeading_y"><span class="admonitionIcon_z"><svg></svg></span>Hot</div>'
        '<div class="admonitionContent_w"><p>Do not touch the kiln while it is hot.</p></div></div></div></article></main>'
        "</div>",
        "docusaurus",
        "> [!warning] Hot\n>\n> Do not touch the kiln while it is hot.\n",
    ),
    "Starlight tabs and aside": (
        '<main><div class="sl-markdown-content"><starlight-tabs><div class="tablist-wrapper"><ul role="tablist">'
        '<li role="presentation"><a role="tab" href="#p1">npm</a></li><li role="presentation"><a role="tab" href="#p2">pnpm</a>'
        '</li></ul></div><div id="p1" role="tabpanel"><p>npm i</p></div><div id="p2" role="tabpanel" hidden><p>pnpm add</p>'
        '</div></starlight-tabs><aside aria-label="Caution" class="starlight-aside starlight-aside--caution">'
        '<p class="starlight-aside__title" aria-hidden="true"><svg></svg>Caution</p><div class="starlight-aside__content">'
        "<p>Hot.</p></div></aside></div></main>",
        "starlight",
        "**npm**\n\nnpm i\n\n**pnpm**\n\npnpm add\n\n> [!caution] Caution\n>\n> Hot.\n",
    ),
    "MkDocs Material": (
        '<div class="md-container"><article class="md-content__inner md-typeset">'
        '<h2 id="a">A<a class="headerlink" href="#a" title="Permanent link">¶</a></h2><details class="note">'
        '<summary>More</summary><p>Body.</p></details><div class="highlight"><span class="filename">kiln.py</span>'
        '<table class="highlighttable"><tr><td class="linenos"><div class="linenodiv"><pre><span></span>'
        '<span class="normal">1</span></pre></div></td><td class="code"><div><pre><span></span><code>fire()\n</code></pre></div>'
        "</td></tr></table></div></article></div>",
        "mkdocs-material",
        "## A\n\n> [!note] More\n>\n> Body.\n\nkiln.py\n\n```\nfire()\n```\n",
    ),
    "Javadoc member": (
        '<head><meta name="generator" content="javadoc/17"></head><body><main><section class="detail" id="fire(int)">'
        '<h3>fire</h3><div class="member-signature">'
        '<span class="modifiers">public</span>&nbsp;<span class="return-type">void</span>&nbsp;<span class="element-name">fire<'
        "/span>"
        '<wbr><span class="parameters">(int&nbsp;degrees)</span></div><div class="block">Fires the kiln.</div>'
        '<dl class="notes"><dt>Parameters:</dt><dd><code>degrees</code> - how hot</dd></dl></section></main></body>',
        "javadoc",
        "### fire\n\n`public void fire(int degrees)`\n\nFires the kiln.\n\nParameters:\n:   `degrees` - how hot\n",
    ),
    "rustdoc method": (
        '<head><meta name="generator" content="rustdoc"></head><body class="rustdoc"><main>'
        '<section id="main-content" class="content"><section id="method.fire" class="method">'
        '<a class="src rightside" href="x">Source</a><a href="#method.fire" class="anchor">§</a>'
        '<h4 class="code-header">pub fn <a href="#method.fire" class="fn">fire</a>(&amp;self)</h4></section>'
        '<div class="docblock"><p>Fires it.</p></div></section></main></body>',
        "rustdoc",
        "#### `pub fn fire(&self)`\n\nFires it.\n",
    ),
    "Doxygen member": (
        '<head><meta name="generator" content="Doxygen 1.9"></head><body><div id="doc-content"><a id="a1" name="a1"></a>'
        '<h2 class="memtitle"><span class="permalink"><a href="#a1">&#9670;&#160;</a></span>fire()</h2><div class="memitem">'
        '<div class="memproto"><table class="memname"><tr><td class="memname">void fire </td><td>(</td>'
        '<td class="paramtype">int&#160;</td><td class="paramname"><em>d</em></td><td>)</td></tr></table></div>'
        '<div class="memdoc"><p>Fires it.</p><dl class="params"><dt>Parameters</dt><dd><table class="params"><tr>'
        '<td class="paramname">d</td><td>how hot</td></tr></table></dd></dl></div></div></div></body>',
        "doxygen",
        "## fire()\n\n`void fire (int d)`\n\nFires it.\n\nParameters\n:   | | |\n    | --- | --- |\n    | d | how hot |\n",
    ),
    "AsciiDoc": (
        '<head><meta name="generator" content="Asciidoctor 2"></head><body><div id="content"><div class="sect1"><h2 id="_a">'
        '<a class="anchor" href="#_a"></a>A</h2><div class="sectionbody"><div class="admonitionblock tip"><table><tr>'
        '<td class="icon"><div class="title">Tip</div></td><td class="content">Fire slowly.</td></tr></table></div>'
        '<div class="listingblock"><div class="content"><pre class="highlight">'
        '<code class="language-ruby" data-lang="ruby">fire <b class="conum">(1)</b></code></pre></div></div>'
        '<div class="colist arabic"><ol><li><p>Hot</p></li></ol></div></div></div></div></body>',
        "asciidoctor",
        "## A\n\n> [!tip] Tip\n>\n> Fire slowly.\n\n```ruby\nfire (1)\n```\n\n1. Hot\n",
    ),
    "MediaWiki": (
        '<head><meta name="generator" content="MediaWiki 1.41"></head><body><div class="mw-parser-output">'
        '<div class="mw-heading mw-heading2"><h2 id="Use">Use</h2><span class="mw-editsection">[edit]</span></div>'
        '<p>Fired<sup id="cite_ref-1" class="reference"><a href="#cite_note-1">[1]</a></sup>.</p>'
        '<div class="mw-highlight mw-highlight-lang-python"><pre><span></span>fire()</pre></div></div></body>',
        "mediawiki",
        "## Use\n\nFired[[1]](https://d.example.org/g/p.html#cite_note-1).\n\n```python\nfire()\n```\n",
    ),
    "man page": (
        '<body><table class="head"><tr><td>KILN(1)</td></tr></table><div class="manual-text"><section class="Sh">'
        '<h1 class="Sh" id="NAME"><a class="permalink" href="#NAME">NAME</a></h1><p class="Pp">'
        '<code class="Nm">kiln</code> &#x2014; <span class="Nd">fires</span></p></section><section class="Sh">'
        '<h1 class="Sh" id="OPTIONS"><a class="permalink" href="#OPTIONS">OPTIONS</a></h1><dl class="Bl-tag"><dt id="d">'
        '<a class="permalink" href="#d"><code class="Fl">-d</code></a> <var class="Ar">n</var></dt><dd>degrees</dd></dl>'
        "</section></div></body>",
        "mandoc",
        "# NAME\n\n`kiln` — fires\n\n# OPTIONS\n\n`-d` *n*\n:   degrees\n",
    ),
    "ExDoc": (
        '<head><meta name="generator" content="ExDoc v0.34"></head><body><main id="main"><div id="content">'
        '<section class="detail" id="fire/1"><div class="detail-header"><a href="#fire/1" class="detail-link"><i></i></a>'
        '<div class="heading-with-actions"><h1 class="signature" translate="no">fire(degrees)</h1>'
        '<a href="x" class="icon-action">source</a></div></div><section class="docstring"><p>Fires it.</p></section></section>'
        "</div></main></body>",
        "exdoc",
        "# fire(degrees)\n\nFires it.\n",
    ),
    "MS Learn": (
        '<head><meta name="ms.topic" content="how-to"></head><body><div data-main-column><div class="content"><h1>Fire</h1>'
        '<ul class="metadata"><li>Article</li></ul><div class="NOTE"><p>Note</p><p>Hot.</p></div><pre>'
        '<code class="lang-azurecli">az fire</code></pre></div></div></body>',
        "mslearn",
        "# Fire\n\n> [!note] Note\n>\n> Hot.\n\n```azurecli\naz fire\n```\n",
    ),
    "MDN": (
        '<head><meta property="og:site_name" content="MDN Web Docs"></head><body><main><article class="main-page-content">'
        '<h2 id="use"><a href="#use">Use</a></h2><div class="section-content"><div class="notecard warning"><p>'
        '<strong>Warning:</strong> Hot.</p></div><div class="code-example"><div class="example-header">'
        '<span class="language-name">js</span><button>Copy</button></div><pre class="brush: js"><code>fire();</code></pre>'
        "</div></div></article></main></body>",
        "mdn",
        "## Use\n\n> [!warning]\n> **Warning:** Hot.\n\n```js\nfire();\n```\n",
    ),
    "GitBook": (
        '<head><meta name="generator" content="GitBook"></head><body><main><h2 id="use"><div>'
        '<a href="#use" aria-label="Direct link to heading">#</a></div><div>Use</div></h2><p>Fire slowly.</p></main></body>',
        "generic:main",
        "## Use\n\nFire slowly.\n",
    ),
    "Nextra": (
        '<body><div class="nextra-toc"></div><main><h2>Use<span id="use"></span>'
        '<a href="#use" class="subheading-anchor" aria-label="Permalink for this section"></a></h2><div class="nextra-callout">'
        '<div>⚠️</div><div><p>Hot for as long as it glows.</p></div></div><div class="nextra-code-block"><pre>'
        '<code data-language="sh"><span>fire</span></code></pre></div></main></body>',
        "nextra",
        "## Use\n\n> [!warning]\n> Hot for as long as it glows.\n\n```sh\nfire\n```\n",
    ),
}


@pytest.mark.parametrize(("body", "rule", "markdown"), PAGES.values(), ids=PAGES)
def test_page_of_a_generator_becomes_this_markdown(body: str, rule: str, markdown: str) -> None:
    page = html.read(f"<!doctype html><html>{body}</html>", "https://d.example.org/g/p.html", rules.shipped())
    assert (page.rule, page.text) == (rule, markdown)


@pytest.mark.parametrize(
    ("name", "anchors"),
    [
        pytest.param("Javadoc member", ["fire(int)"], id="javadoc"),
        pytest.param("rustdoc method", ["method.fire"], id="rustdoc"),
        pytest.param("Doxygen member", ["a1"], id="doxygen"),
        pytest.param("man page", ["NAME", "OPTIONS", "d"], id="mandoc"),
        pytest.param("ExDoc", ["fire/1"], id="exdoc"),
        pytest.param("MDN", ["use"], id="mdn"),
        pytest.param("Nextra", ["use"], id="nextra"),
    ],
)
def test_sections_of_a_generator_carry_its_ids(name: str, anchors: list[str]) -> None:
    page = html.read(f"<!doctype html><html>{PAGES[name][0]}</html>", "https://d.example.org/g/p.html", rules.shipped())
    assert [section.anchor for section in page.sections if section.anchor] == anchors
