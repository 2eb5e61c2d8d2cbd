"""What seed files name."""

from __future__ import annotations

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.sources import seeds

BASE = "https://docs.example/kiln/"
INVENTORY = b"# Sphinx inventory version 2\n# Project: k\n# Version: 1\n# zlib\n"
FILES: dict[str, tuple[str, bytes, tuple[str, ...], tuple[str, ...]]] = {
    "sitemap": (
        "sitemap.xml",
        b'<urlset xmlns="x"><url><loc> https://docs.example/kiln/a </loc></url><url><loc>b</loc></url></urlset>',
        (BASE + "a", BASE + "b"),
        (),
    ),
    "index": (
        "s.xml",
        b"<sitemapindex><sitemap><loc>https://docs.example/p.xml</loc></sitemap></sitemapindex>",
        (),
        ("https://docs.example/p.xml",),
    ),
    "gzip": ("s.xml.gz", gzip.compress(b"<urlset><url><loc>/a</loc></url></urlset>"), ("https://docs.example/a",), ()),
    "cut gzip": (
        "s.xml.gz",
        gzip.compress(b"<urlset><url><loc>/a</loc></url></urlset>" + b" " * 9000)[:-12],
        ("https://docs.example/a",),
        (),
    ),
    "other schemes": ("s.xml", b"<urlset><url><loc>file:///etc/hosts</loc></url><url><loc>gopher://x/</loc></url></urlset>", (), ()),
    "external entity": (
        "s.xml",
        b'<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hosts">]><urlset><url><loc>&e;</loc></url></urlset>',
        (),
        (),
    ),
    "cut short": ("s.xml", b"<urlset><url><loc>/a</loc></url><url><lo", ("https://docs.example/a",), ()),
    "atom": (
        "f.xml",
        b'<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="edit" href="/e"/><link href="/p"/></entry></feed>',
        ("https://docs.example/p",),
        (),
    ),
    "rss": ("f.xml", b"<rss><channel><link>/site</link><item><link>/p</link></item></channel></rss>", ("https://docs.example/p",), ()),
    "text": (
        "urls.txt",
        b"https://docs.example/a\nnonsense\nhttps://docs.example/b\n",
        ("https://docs.example/a", "https://docs.example/b"),
        (),
    ),
    "llms.txt": (
        "llms.txt",
        b"# Kiln\n> about\n## Docs\n- [A](a.html.md): text\n- [B](/b.md)\n- [C](https://docs.example/c#x)\n",
        (BASE + "a.html", "https://docs.example/b", "https://docs.example/c#x"),
        (),
    ),
    "inventory": (
        "objects.inv",
        INVENTORY + zlib.compress(b"kiln.fire py:function 1 api/fire.html#$ -\na long name std:label -1 g.html#x Title here\nbroken\n"),
        (BASE + "api/fire.html", BASE + "g.html"),
        (),
    ),
    "nothing": ("sitemap.xml", b"", (), ()),
}


@pytest.mark.parametrize(("name", "body", "pages", "files"), FILES.values(), ids=FILES)
def test_seed_file_names(name: str, body: bytes, pages: tuple[str, ...], files: tuple[str, ...]) -> None:
    found = seeds.read(body, BASE + name)
    assert (found.pages, found.files) == (pages, files)


def test_an_entity_bomb_stays_small() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">' + b"".join(b'<!ENTITY %c "%s">' % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9))
    assert seeds.read(bomb + b"]><urlset><url><loc>/&j;</loc></url></urlset>", BASE + "s.xml").files == ()


def test_candidates_are_the_named_sitemaps_then_the_usual_places() -> None:
    assert seeds.candidates(BASE + "index.html", ("/s.xml", "file:///etc/hosts")) == (
        "https://docs.example/s.xml",
        BASE + "sitemap.xml",
        BASE + "llms.txt",
        BASE + "objects.inv",
        "https://docs.example/sitemap.xml",
    )


@given(st.binary(max_size=300), st.sampled_from(["s.xml", "llms.txt", "objects.inv", "s.xml.gz"]))
def test_any_bytes_are_read_without_an_error(body: bytes, name: str) -> None:
    seeds.read(body, BASE + name)
    seeds.read(INVENTORY + body, BASE + name)
