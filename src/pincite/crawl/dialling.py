"""The only door to the network: resolve, vet every answer, dial the vetted address.

In: a host and a port. Out: vetted addresses, or an open byte stream. The fetcher and the browser's proxy both pass through here.
Resolver and dialler are handed in, so that a test needs no network.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

import anyio
from anyio.abc import ByteStream

from pincite.crawl import addresses
from pincite.errors import SourceError

MAX_TRIES = 4
"""Vetted addresses of one name that are tried in turn."""


class Dialler(Protocol):
    """Opens a byte stream to one literal address."""

    async def __call__(self, address: str, port: int) -> ByteStream: ...


Resolver = Callable[[str, int], Awaitable[Sequence[str]]]


async def resolved(host: str, port: int) -> Sequence[str]:
    """Ask the system's resolver. Raises OSError or UnicodeError."""
    answers = await anyio.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [address[0] for _, _, _, _, address in answers]


async def dialled(address: str, port: int) -> ByteStream:
    """Connect to a literal address. Raises OSError."""
    return await anyio.connect_tcp(address, port)


class Door:
    """Vets and dials. `allow_private` is the operator's list of `HOST[:PORT]`."""

    def __init__(self, allow_private: tuple[str, ...] = (), *, resolver: Resolver = resolved, dialler: Dialler = dialled) -> None:
        self.allow_private = allow_private
        self._resolver = resolver
        self._dialler = dialler

    async def connect(self, host: str, port: int, connect_s: float) -> ByteStream:
        """Return a stream to the first vetted address that answers; the name is resolved once.

        Raises Refused (rule `address`), SourceError (rule `dns`, `connect`) and TimeoutError.
        """
        failure: OSError | None = None
        with anyio.fail_after(connect_s):
            for address in (await self.vetted(host, port))[:MAX_TRIES]:
                try:
                    return await self._dialler(address, port)
                except OSError as error:
                    failure = error
        reason = "refused the connection" if isinstance(failure, ConnectionRefusedError) else "can't be reached"
        raise SourceError(f"{host}:{port} {reason}.", url=host, rule="connect") from None

    async def vetted(self, host: str, port: int) -> tuple[str, ...]:
        """Return the addresses of a host that may be dialled. A literal address is vetted as it stands."""
        if addresses.is_literal(host):
            return addresses.vet(host, port, (host,), self.allow_private)
        try:
            answers = await self._resolver(host, port)
        except (OSError, UnicodeError):
            answers = ()
        if not answers:
            raise SourceError(f"The host {host} has no address: its name can't be resolved. Check the spelling.", url=host, rule="dns")
        return addresses.vet(host, port, answers, self.allow_private)
