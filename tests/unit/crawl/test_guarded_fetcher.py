"""The fetcher over a network of fakes: what is dialled, and what is not. Nothing here opens a connection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime

import anyio
import anyio.lowlevel
import pytest
from anyio.abc import ByteStream

from pincite.crawl import decoding
from pincite.crawl.http import GuardedFetcher
from pincite.errors import Refused, SourceError
from pincite.types import Fetched, Policy

PUBLIC, OTHER = "93.184.216.34", "93.184.216.35"


class Wire(ByteStream):
    """A connection whose answers come from a script."""

    def __init__(self, answer: Callable[[str], bytes]) -> None:
        self._answer, self._left = answer, b""

    async def receive(self, max_bytes: int = 65536) -> bytes:
        await anyio.lowlevel.checkpoint()
        if not self._left:
            raise anyio.EndOfStream
        piece, self._left = self._left[:max_bytes], self._left[max_bytes:]
        return piece

    async def send(self, item: bytes) -> None:
        if item.startswith(b"GET "):
            self._left += self._answer(item.decode("latin-1"))

    async def send_eof(self) -> None:
        return None

    async def aclose(self) -> None:
        return None


class Net:
    """Names with one list of answers for each time they are asked, and what was dialled."""

    def __init__(self, names: Mapping[str, Sequence[Sequence[str]]], answer: Callable[[str], bytes]) -> None:
        self._names, self._answer = names, answer
        self.asked: list[str] = []
        self.dialled: list[str] = []

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        steps = self._names.get(host, ())
        self.asked.append(host)
        return steps[min(self.asked.count(host), len(steps)) - 1] if steps else ()

    async def dial(self, address: str, port: int) -> ByteStream:
        self.dialled.append(address)
        return Wire(self._answer)


def ok(_: str) -> bytes:
    return b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi"


def redirect(status: int, location: str) -> Callable[[str], bytes]:
    def answer(request: str) -> bytes:
        return (
            ok(request)
            if not request.startswith("GET /r ")
            else f"HTTP/1.1 {status} X\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode()
        )

    return answer


def fetched(net: Net, *urls: str, policy: Policy | None = None) -> Fetched:
    async def main() -> Fetched:
        clock = lambda: datetime.now(UTC)  # noqa: E731
        async with GuardedFetcher(policy or Policy(), user_agent="", clock=clock, resolver=net.resolve, dialler=net.dial) as fetcher:
            return [await fetcher.fetch(url) for url in urls][-1]

    return anyio.run(main)


LOCATIONS = {
    "loopback": "http://127.0.0.1/",
    "loopback without a scheme": "//127.0.0.1/",
    "loopback as a number": "http://2130706433/",
    "mapped loopback": "http://[::ffff:7f00:1]/",
    "metadata": "http://169.254.169.254/latest/",
    "private": "http://172.20.1.1/",
    "local name": "http://localhost/",
    "a name that leads inside": "http://inside.example/",
    "a mail port": "http://docs.example:25/",
    "a file": "file:///etc/hosts",
    "data": "data:text/html,x",
    "a user name": "http://docs.example@10.0.0.1/",
}


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
@pytest.mark.parametrize("location", LOCATIONS.values(), ids=LOCATIONS)
def test_no_redirect_leads_inside(status: int, location: str) -> None:
    net = Net({"docs.example": [[PUBLIC]], "inside.example": [["10.0.0.7"]], "localhost": [["127.0.0.1"]]}, redirect(status, location))
    with pytest.raises(Refused):
        fetched(net, "http://docs.example/r")
    assert set(net.dialled) == {PUBLIC}


def test_a_redirect_to_another_public_name_is_followed() -> None:
    net = Net({"docs.example": [[PUBLIC]], "new.example": [[OTHER]]}, redirect(301, "https://new.example/x".replace("https", "http")))
    page = fetched(net, "http://docs.example/r")
    assert (page.final_url, page.redirects, net.dialled) == ("http://new.example/x", ("http://docs.example/r",), [PUBLIC, OTHER])


def test_a_name_is_resolved_once_for_a_connection_and_a_second_answer_is_never_dialled() -> None:
    net = Net({"rebind.example": [[PUBLIC], ["127.0.0.1"]]}, ok)
    fetched(net, "http://rebind.example/")
    assert (net.asked, net.dialled) == (["rebind.example"], [PUBLIC])
    with pytest.raises(Refused):
        fetched(net, "http://rebind.example/")
    assert net.dialled == [PUBLIC]


def test_one_private_answer_among_public_ones_refuses_the_name() -> None:
    net = Net({"mixed.example": [[PUBLIC, "::1"]]}, ok)
    with pytest.raises(Refused):
        fetched(net, "http://mixed.example/")
    assert net.dialled == []


def test_the_host_header_names_what_was_asked_for() -> None:
    seen: list[str] = []

    def answer(request: str) -> bytes:
        seen.append(request)
        return ok(request)

    fetched(Net({"xn--bcher-kva.example": [[PUBLIC]]}, answer), "http://bücher.example:8080/ä?x=1#y")
    assert seen[0].startswith("GET /%C3%A4?x=1 HTTP/1.1\r\nHost: xn--bcher-kva.example:8080\r\n")


def test_messages_never_name_a_resolved_address() -> None:
    with pytest.raises(Refused) as caught:
        fetched(Net({"inside.example": [["10.9.8.7"]]}, ok), "http://inside.example/")
    assert "10.9.8.7" not in str(caught.value)


def test_a_name_without_an_address_is_told() -> None:
    with pytest.raises(SourceError) as caught:
        fetched(Net({}, ok), "http://nowhere.example/")
    assert caught.value.rule == "dns"


def test_a_secure_page_that_redirects_to_a_plain_one_is_refused() -> None:
    from pincite.crawl.addresses import target

    async def main() -> None:
        async with GuardedFetcher(Policy(), user_agent="", clock=lambda: datetime.now(UTC)) as fetcher:
            fetcher._next(target("https://docs.example/"), "http://docs.example/", ["https://docs.example/"])

    with pytest.raises(Refused) as caught:
        anyio.run(main)
    assert caught.value.rule == "redirect"


@pytest.mark.parametrize("limit", [1, 7, 8, 100, 65_536])
@pytest.mark.parametrize("size", [0, 1, 6, 7, 8, 9, 99, 100, 101, 70_000])
@pytest.mark.parametrize("step", [1, 3, 65_536])
def test_a_body_is_gathered_up_to_its_limit(limit: int, size: int, step: int) -> None:
    body, data = decoding.Bounded(limit), bytes(n % 251 for n in range(min(size, 2 * limit + 9)))
    fits = all(body.take(data[at : at + step]) for at in range(0, len(data), step))
    assert body.value() == data[:limit]
    assert fits is (len(data) <= limit)
