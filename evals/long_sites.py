"""Gate: whole documentation sites, served on loopback, against the list of their files.

    python evals/long_sites.py [SITE_DIR…]

SITE_DIR holds the HTML files of a site whose start page is `index.html`; without one, the three that Debian's packages python3-doc,
postgresql-doc and python-django-doc bring are looked for. Each is captured, asked for again, and asked for again after one page was
edited. Held are: every file that a chain of links reaches from the start page is in the report, with what became of it; wanted is
fetched and explained, nothing else; a refresh of the same files gets a 304 for every page and makes no chunk; after the edit exactly
that page is fetched.
Exits with 1 where one does not hold.
"""

from __future__ import annotations

import functools
import glob
import http.server
import json
import os
import shutil
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

from pincite import Coverage, Library, Policy

PACKAGES = ("/usr/share/doc/python3.*/html", "/usr/share/doc/postgresql-doc-*/html", "/usr/share/doc/python-django-doc/html")


class Counting(http.server.SimpleHTTPRequestHandler):
    """Serves a folder and notes how each page was answered."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *given: object, seen: Counter[tuple[str, int]], **named: object) -> None:
        self.seen = seen
        super().__init__(*given, **named)  # type: ignore[arg-type]

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        self.seen[unquote(urlsplit(self.path).path), int(code)] += 1

    def log_message(self, format: str, *args: object) -> None:
        return None


class Links(HTMLParser):
    """Gathers where a page's links lead, by another parser than Pincite's."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.base, self.found = url, set[str]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        href = dict(attrs).get("href")
        if tag == "base" and href:
            self.base = urljoin(self.base, href)
        elif tag in ("a", "area") and href is not None:
            self.found.add(urldefrag(urljoin(self.base, href.strip()))[0])


@contextmanager
def served(folder: Path, seen: Counter[tuple[str, int]]) -> Iterator[str]:
    """Serve a folder on loopback and give its URL."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Counting, directory=str(folder), seen=seen)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def reachable(folder: Path, url: str) -> set[str]:
    """Return the URLs of the HTML files that a chain of links reaches from the start page."""
    found, left = set[str](), [url]
    while left:
        at = left.pop()
        path = folder / unquote(urlsplit(at).path).lstrip("/")
        path = path / "index.html" if path.is_dir() else path
        if at in found or not path.is_file() or path.suffix not in (".html", ".htm"):
            continue
        found.add(at)
        page = Links(at)
        page.feed(path.read_text("utf-8", "replace"))
        left += [link for link in page.found if link.startswith(url)]
    return found


def explained(report: Coverage) -> bool:
    """Say whether the report's numbers add up to what was wanted, each page once."""
    listed = [page for page in report.pages if page.outcome != "skipped" or page.reason != "scope"]
    counted = report.fetched + report.unchanged + sum(report.failed.values()) + sum(report.skipped.values())
    return len(listed) <= report.wanted + report.skipped.get("scope", 0) and counted == len(report.pages) == len(
        {p.url for p in report.pages}
    )


def measured(site: Path) -> dict[str, object]:
    """Capture a site three times and return what was found wrong, and how much there was."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as place:
        folder, seen = Path(place, "site"), Counter[tuple[str, int]]()
        shutil.copytree(site, folder, symlinks=False, ignore_dangling_symlinks=True)
        with served(folder, seen) as url, Library(os.path.join(place, "library.db")) as library:
            host = url.removeprefix("http://").rstrip("/")
            policy = Policy(delay_s=0, concurrency=8, max_pages=100_000, allow_private=(host,), render="never", scope="host")
            first = library.add(url, policy=policy)
            links, pages = reachable(folder, url), {page.url: page for page in first.pages}
            wrong += [f"not in the report: {link}" for link in sorted(links - pages.keys())]
            wrong += [
                f"{page.outcome} ({page.reason}): {page.url}" for page in first.pages if page.outcome == "failed" and page.url in links
            ]
            wrong += ["the first report does not add up"] * (not explained(first) or first.wanted < first.fetched)
            taken = [page.url for page in first.pages if page.outcome == "fetched"]
            seen.clear()
            same = library.refresh(first.source)
            whole = [p for (p, code) in seen if code == 200 and url.rstrip("/") + p in taken]
            wrong += [f"asked for again without a condition: {path}" for path in whole]
            wrong += [f"made {same.documents} documents and {same.chunks} chunks of what had not changed"] * bool(
                same.documents or same.chunks
            )
            wrong += [f"{len(taken)} pages are held, but {same.unchanged} unchanged"] * (same.unchanged != len(taken))
            edited = next(u for u in sorted(taken, key=len, reverse=True) if u.endswith(".html"))
            path = folder / unquote(urlsplit(edited).path).lstrip("/")
            text = path.read_text("utf-8", "replace")
            path.write_text(text.replace("</body>", "<p>One more sentence about this.</p></body>"), "utf-8")
            os.utime(path, (path.stat().st_atime, path.stat().st_mtime + 60))
            again = library.refresh(first.source)
            changed = [page.url for page in again.pages if page.outcome == "fetched"]
            wrong += [f"{edited} was edited, but fetched were {changed}"] * (changed != [edited])
            wrong += [str(finding) for finding in library.verify()]
        files = sum(1 for path in folder.rglob("*.html"))
    return {
        "site": str(site),
        "files": files,
        "linked": len(links),
        "wanted": first.wanted,
        "fetched": first.fetched,
        "skipped": dict(first.skipped),
        "failed": dict(first.failed),
        "chunks": first.chunks,
        "seconds": [round(report.seconds, 1) for report in (first, same, again)],
        "wrong": wrong[:20],
    }


def main(places: list[str]) -> int:
    """Measure each site and print a line for it. Returns the exit code."""
    sites = [Path(place) for place in places if (Path(place) / "index.html").is_file()]
    sites = sites or [Path(found[-1]) for pattern in PACKAGES if (found := sorted(glob.glob(pattern)))]
    wrong = False
    for site in sites:
        row = measured(site)
        wrong = wrong or bool(row["wrong"])
        print(json.dumps(row), flush=True)
    if not sites:
        print("No site is here: name a folder with an index.html, or install one of those packages.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
