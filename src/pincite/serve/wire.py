"""The HTTP protocol of a connection, with an end to what a client may leave unfinished: a head that never comes, or never ends, and a
response that nobody reads.

In: bytes of a client. Out: those of uvicorn's protocol; a connection that is over its time or size is closed, without a thread or task
having worked for it. Bodies are bounded by the gate.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEAD_S = 15.0
"""How long a client may take from the first byte of a request, or from connecting, to the end of its head."""
HEAD_BYTES = 64 * 1024
"""A head's size; browsers and proxies stay below 32 KB."""
STALL_S = 60.0
"""How long a response may wait for a client that does not read it."""


class HeadTooLarge(Exception):
    """Raised inside the parser, which answers 400."""


class Wire(HttpToolsProtocol):
    """uvicorn's protocol with these bounds."""

    _head_bytes = 0
    _in_head = True
    _late: asyncio.TimerHandle | None = None
    _stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a head."""
        super().connection_made(transport)
        self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the clocks."""
        self._settle()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse; what leaves a head unfinished counts towards its size."""
        super().data_received(data)
        if self._in_head and not self.transport.is_closing():
            self._head_bytes += len(data)
            if self._head_bytes > HEAD_BYTES:
                self.send_400_response("The head of the request is too large.")

    def on_message_begin(self) -> None:
        """Begin a request's head."""
        super().on_message_begin()
        self._head_bytes = 0
        self._expect()

    def on_header(self, name: bytes, value: bytes) -> None:
        """Take a header. Raises HeadTooLarge."""
        self._head_bytes += len(name) + len(value)
        if self._head_bytes > HEAD_BYTES:
            raise HeadTooLarge
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """End the head."""
        self._settle()
        super().on_headers_complete()

    def pause_writing(self) -> None:
        """Wait for the client to read, but not for ever."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALL_S, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on writing."""
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def _expect(self) -> None:
        self._settle()
        self._in_head = True
        self._late = self.loop.call_later(HEAD_S, self._give_up)

    def _settle(self) -> None:
        self._in_head = False
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _give_up(self) -> None:
        cycle: Any = self.cycle
        if not self.transport.is_closing() and (cycle is None or cycle.response_complete):
            self.transport.close()
