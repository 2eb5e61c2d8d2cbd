"""Gate: the address rule in fetcher and proxy, robots.txt, and the rules for fetching it, over a folder of cases.

    python evals/gate_safety.py DATA_DIR

DATA_DIR, or `safety` or `data/safety` below it, holds `ssrf_cases.json` (url, dns, redirects, expect),
`robots_google_cases.json` (robots_latin1, agent, url, allowed) and
`robots_fetch_cases.json` (named rules, which this script plays through). Resolver and dialler are fakes: nothing is dialled.
Exits with 1 below the floor, which is all of them.
"""

from __future__ import annotations

import base64
import gzip
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import anyio
from anyio.abc import ByteStream

from pincite.crawl import robots
from pincite.crawl.addresses import is_public
from pincite.crawl.http import GuardedFetcher
from pincite.crawl.proxy import FilteringProxy
from pincite.crawl.rules import SiteRules
from pincite.errors import PinciteError, Refused, SourceError
from pincite.types import Policy

Answers = Callable[[str], bytes]


class Wire(ByteStream):
    """A connection to nowhere: what is asked is answered from a script."""

    def __init__(self, answers: Answers) -> None:
        self._answers, self._asked, self._left, self._host = answers, b"", b"", ""

    async def receive(self, max_bytes: int = 65536) -> bytes:
        await anyio.lowlevel.checkpoint()
        if not self._left:
            raise anyio.EndOfStream
        piece, self._left = self._left[:max_bytes], self._left[max_bytes:]
        return piece

    async def send(self, item: bytes) -> None:
        self._asked += item
        if b"\r\n\r\n" in self._asked:
            head, self._asked = self._asked.split(b"\r\n\r\n", 1)
            lines = head.decode("latin-1").split("\r\n")
            host = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("host:")), "")
            self._left += self._answers(f"http://{host}{lines[0].split(' ')[1]}")

    async def send_eof(self) -> None:
        return None

    async def aclose(self) -> None:
        return None


class Net:
    """A network of names and scripted answers; it notes what was dialled."""

    def __init__(self, dns: Mapping[str, Any], answers: Answers) -> None:
        self._dns, self._answers = dns, answers
        self._asked: dict[str, int] = {}
        self.dialled: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        found = self._dns.get(host)
        if isinstance(found, Mapping):
            steps = found["sequence"]
            nth = self._asked[host] = self._asked.get(host, -1) + 1
            found = steps[min(nth, len(steps) - 1)]
        if not found:
            raise OSError("no such name")
        return list(found)

    async def dial(self, address: str, port: int) -> ByteStream:
        self.dialled.append(address)
        return Wire(self._answers)


def reply(status: int, body: bytes = b"<p>ok</p>", **headers: str) -> bytes:
    fields = {"content_length": str(len(body)), "content_type": "text/html"} | headers
    return (
        f"HTTP/1.1 {status} X\r\n".encode()
        + b"".join(f"{k.replace('_', '-')}: {v}\r\n".encode() for k, v in fields.items())
        + b"\r\n"
        + body
    )


def script(redirects: Sequence[Sequence[Any]]) -> Answers:
    left = list(redirects)

    def answer(_: str) -> bytes:
        if left:
            status, location = left.pop(0)
            return reply(status, b"", location=location)
        return reply(200)

    return answer


async def by_fetcher(case: Mapping[str, Any]) -> tuple[bool, Net]:
    net = Net(case["dns"], script(case["redirects"]))
    async with GuardedFetcher(
        Policy(), user_agent="gate", clock=lambda: datetime.now(UTC), resolver=net.resolve, dialler=net.dial
    ) as fetcher:
        try:
            return (await fetcher.fetch(case["url"])).status == 200, net
        except (Refused, SourceError):
            return False, net


async def by_proxy(case: Mapping[str, Any]) -> tuple[bool, Net]:
    """Ask the proxy as a browser does: each hop a request of its own, the redirects followed by the client."""
    net = Net(case["dns"], script(case["redirects"]))
    url = case["url"]
    async with FilteringProxy(Policy(), resolver=net.resolve, dialler=net.dial) as proxy:
        for _ in range(8):
            if not url or any(ord(c) < 33 for c in url):
                return False, net
            status, location = await _through(proxy, url)
            if status not in (301, 302, 303, 307, 308):
                return status == 200, net
            url = urljoin(url, location)
    return False, net


async def _through(proxy: FilteringProxy, url: str) -> tuple[int, str]:
    host, _, port = proxy.server.removeprefix("http://").partition(":")
    credential = base64.b64encode(f"{proxy.user}:{proxy.password}".encode()).decode()
    async with await anyio.connect_tcp(host, int(port)) as stream:
        await stream.send(f"GET {url} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: Basic {credential}\r\n\r\n".encode())
        data = b""
        try:
            while True:
                data += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            pass
    lines = data.split(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")
    location = next((line.partition(":")[2].strip() for line in lines if line.lower().startswith("location:")), "")
    return (int(lines[0].split(" ")[1]) if lines[0] else 0), location


async def ssrf(cases: Sequence[Mapping[str, Any]], ask: Callable[[Mapping[str, Any]], Any]) -> list[str]:
    wrong = []
    for case in cases:
        got, net = await ask(case)
        expect = case["expect"]
        safe = all(is_public(address) for address in net.dialled)
        pinned = expect != "pinned" or set(net.dialled) <= set(next(iter(case["dns"].values()))["sequence"][0])
        if not safe or not pinned or (expect != "pinned" and got is not (expect == "allow")):
            wrong.append(f"{case['id']} {case['url']!r}: {'let through' if got else 'refused'}, expected {expect}")
    return wrong


def google(cases: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        f"{c['test']} {c['url']} as {c['agent']}"
        for c in cases
        if robots.parse(c["robots_latin1"].encode("latin-1")).allows(c["agent"], c["url"]) is not c["allowed"]
    ]


async def admitted(answers: Answers, *, url: str = "http://docs.example/a", dns: Mapping[str, Any] | None = None) -> bool:
    net = Net({"docs.example": ["93.184.216.34"], "b.example": ["93.184.216.35"]} if dns is None else dns, answers)
    async with GuardedFetcher(
        Policy(timeout_s=1), user_agent="gate", clock=lambda: datetime.now(UTC), resolver=net.resolve, dialler=net.dial
    ) as fetcher:
        try:
            await SiteRules(fetcher).admit(url)
        except PinciteError:
            return False
    return True


async def fetch_rules() -> dict[str, bool]:
    """Play every rule for fetching robots.txt; True where it holds."""
    closed = b"User-agent: *\nDisallow: /\n"
    hop = lambda n: script([[status, f"http://b.example/{i}"] for i, status in zip(range(n), [301, 302, 307, 308, 301, 302], strict=False)])  # noqa: E731

    def then(n: int, body: bytes) -> Answers:
        hops = hop(n)
        return lambda url: first if (first := hops(url)).split(b" ")[1] != b"200" else reply(200, body)

    pad = lambda size: b"User-agent: *\n" + b"#" * (size - 15) + b"\nDisallow: /a\n"  # noqa: E731
    held = {
        "200 + body": not await admitted(lambda u: reply(200, closed)),
        "five redirects": not await admitted(then(5, closed)),
        "sixth redirect": await admitted(then(6, closed)),
        "redirect to a private address": not await admitted(script([[302, "http://127.0.0.1/robots.txt"]])),
        "4xx": all([await admitted(lambda u, s=s: reply(s)) for s in (400, 401, 403, 404, 410, 451)]),  # type: ignore[misc]
        "429": not await admitted(lambda u: reply(429)),
        "5xx": not any([await admitted(lambda u, s=s: reply(s)) for s in (500, 502, 503, 504)]),  # type: ignore[misc]
        "time-out": not await admitted(lambda u: b""),
        "DNS": not await admitted(lambda u: reply(200), dns={}),
        "soft 404": await admitted(lambda u: reply(200, b"<!doctype html><title>Not found</title>")),
        "byte order mark": not await admitted(lambda u: reply(200, b"\xef\xbb\xbf" + closed)),
        "line ends": not await admitted(lambda u: reply(200, b"User-agent: *\rDisallow: /\r\n\n")),
        "NUL and bad UTF-8": not await admitted(lambda u: reply(200, b"\xff\0\nUser-agent: *\nDisallow: /\n")),
        "gzip bomb": not await admitted(lambda u: reply(200, gzip.compress(closed + b"#" * 50_000_000), content_encoding="gzip")),
        "rule inside 500 KiB": not await admitted(lambda u: reply(200, pad(robots.LIMIT_BYTES - 20))),
        "rule past 500 KiB": await admitted(lambda u: reply(200, pad(robots.LIMIT_BYTES))),
        "crawl delay": [
            robots.parse(b"User-agent: *\nCrawl-delay: " + v).delay_s("pincite") for v in (b"10", b"0.5", b"abc", b"-1", b"1e9")
        ]
        == [10.0, 0.5, None, None, 60.0],
        "own group only": await admitted(
            lambda u: reply(200, closed + b"\nUser-agent: pincite\nDisallow: /b\n\nUser-agent: pincite\nDisallow: /c\n")
        ),
        "own groups merged": not await admitted(
            lambda u: reply(200, b"User-agent: pincite\nDisallow: /b\n\nUser-agent: pincite\nDisallow: /a\n")
        ),
        "robots.txt itself": await admitted(lambda u: reply(200, closed), url="http://docs.example/robots.txt"),
    }
    return held


async def main(folder: Path) -> int:
    cases = json.loads((folder / "ssrf_cases.json").read_text())
    google_cases = json.loads((folder / "robots_google_cases.json").read_text())
    failures = {"ssrf, fetcher": await ssrf(cases, by_fetcher), "ssrf, proxy": await ssrf(cases, by_proxy), "robots": google(google_cases)}
    totals = {"ssrf, fetcher": len(cases), "ssrf, proxy": len(cases), "robots": len(google_cases)}
    held = await fetch_rules()
    failures["robots fetching"], totals["robots fetching"] = [name for name, ok in held.items() if not ok], len(held)
    for name, wrong in failures.items():
        print(f"{name}: {totals[name] - len(wrong)}/{totals[name]}")
        for line in wrong[:20]:
            print("  ", line)
    return 1 if any(failures.values()) else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    given = Path(sys.argv[1])
    sys.exit(anyio.run(main, next((d for d in (given / "data" / "safety", given / "safety") if d.is_dir()), given)))
