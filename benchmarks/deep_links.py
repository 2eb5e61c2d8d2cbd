#!/usr/bin/env python3
"""Deep links in a real browser: does a citation's link scroll to its quote?

usage: deep_links.py SHARED_DIR [COUNT]

In: `data/pages/html` under the given folder; Chromium through Playwright. Out: the share of random quotes, outside the first screen,
whose link scrolls to them, and the links that did not. Pages are served on loopback. The links are tried without the page's own anchor,
so that the text fragment alone must find the quote.
"""

from __future__ import annotations

import functools
import random
import sys
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pincite.cite.selectors import deep_link
from pincite.extract.extractor import DefaultExtractor
from pincite.sentences import sentences
from pincite.types import Document, Fetched, Snapshot, Span, capture_of

SCREEN = {"width": 1280, "height": 720}
SEEN = """(quote) => {
  const squeeze = (s) => s.replace(/[\\s\\u00a0]+/g, "").toLowerCase();
  const wanted = squeeze(quote).slice(0, 60);
  const nodes = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let text = "", node;
  while ((node = walker.nextNode())) {
    if (["SCRIPT", "STYLE", "NOSCRIPT"].includes(node.parentElement.tagName)) continue;
    const data = node.data;
    for (let i = 0; i < data.length; i++) if (!/[\\s\\u00a0]/.test(data[i])) { nodes.push([node, i]); text += data[i].toLowerCase(); }
  }
  const tops = [];
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const range = document.createRange();
    range.setStart(nodes[at][0], nodes[at][1]);
    range.setEnd(nodes[at][0], nodes[at][1] + 1);
    const box = range.getBoundingClientRect();
    if (box.height > 0) tops.push(box.top);
  }
  return {tops, scroll: window.scrollY, height: window.innerHeight, max: document.documentElement.scrollHeight};
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        return None


def quotes(document: Document) -> Iterator[Span]:
    """Yield the spans of a page's sentences, items and terms that a citation could quote."""
    for block in document.blocks:
        if block.kind not in ("paragraph", "list_item", "quote"):
            continue
        text, places = document.visible_map(block.span)
        for cut in sentences(text):
            if len(cut) >= 25 and places:
                yield Span(places[cut.start], places[cut.end - 1] + 1)


def main(shared: Path, count: int) -> int:
    """Open each link and look where the page stands."""
    from playwright.sync_api import sync_playwright

    folder, extractor, rng = shared / "data/pages/html", DefaultExtractor(), random.Random(11)
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    base, found = f"http://127.0.0.1:{server.server_address[1]}/", []
    for path in sorted(folder.rglob("*.htm*")):
        url, body = base + path.relative_to(folder).as_posix(), path.read_bytes()
        fetched = Fetched(url, url, path.name, 200, (), "text/html", body, datetime.now(UTC))
        document = extractor.extract(Snapshot(capture_of("pages", fetched), body))
        found += [(url, document, span) for span in quotes(document)]
    rng.shuffle(found)
    good, tried, lost = 0, 0, []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=_chromium(), args=["--no-sandbox"])
        for url, document, span in found:
            if tried == count:
                break
            link = deep_link(url, None, document, span)
            page = browser.new_page(viewport=SCREEN)
            page.route("**/*", lambda route: route.continue_() if route.request.url.startswith(base) else route.abort())
            page.goto(link, wait_until="load")
            page.wait_for_timeout(350)
            seen = page.evaluate(SEEN, document.visible(span))
            page.close()
            if not any(top + seen["scroll"] > seen["height"] for top in seen["tops"]):
                continue
            tried += 1
            hit = seen["scroll"] > 0 and any(-5 <= top <= seen["height"] for top in seen["tops"])
            good += hit
            if not hit:
                lost.append(f"{link}\n    {document.visible(span)[:120]!r} {seen}")
        browser.close()
    server.shutdown()
    print(f"deep links that scroll to their quote: {good}/{tried} = {good / max(tried, 1):.3f}")
    print("\n".join(lost))
    return 0


def _chromium() -> str | None:
    import shutil

    return shutil.which("chromium")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        raise SystemExit("usage: deep_links.py SHARED_DIR [COUNT]")
    raise SystemExit(main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 200))
