"""Whether `pincite serve` stays right and small while many clients search and sources come and go.

In: a folder with `context/*-context.md`, in it or in its `data`. Out: a line of JSON: requests, errors, hits of a source after its removal
was acknowledged, searches that missed a source after its job was done, and the server's own memory over time. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from serve import QUESTIONS, corpora, memory_mb, served

from pincite.library import Library

PORT = 8393
MARK = b"the keeper of Zanzibar"
WATCHED = "/ask?context_type=doc&query=" + quote("who is the lighthouse keeper of Zanzibar")
FRESH = 0.1
"""Share of the questions that nobody asked before."""
STAY = 50
"""Requests of a client on one connection."""


@dataclass(slots=True)
class Told:
    """What the clients saw. `here` is True, False, or None while the watched sources are being changed."""

    here: bool | None = False
    turn: int = 0
    requests: int = 0
    watched: int = 0
    errors: int = 0
    stale: int = 0
    missed: int = 0
    rounds: int = 0
    memory_mb: dict[str, float] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


async def asked(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
    """Send one request over an open connection and return status and body."""
    kind = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
    writer.write(f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{kind}\r\n".encode() + body)
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
    size = int(head.partition("content-length:")[2].partition("\r\n")[0] or 0)
    return int(head.split(" ", 2)[1]), await reader.readexactly(size)


@asynccontextmanager
async def connected() -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """Open a connection to the server."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    try:
        yield reader, writer
    finally:
        writer.close()


async def client(number: int, told: Told, stop: asyncio.Event) -> None:
    """Ask until told to stop, a connection anew now and then; every fourth client watches for the source that comes and goes."""
    chance = random.Random(number)
    while not stop.is_set():
        try:
            async with connected() as link:
                for _ in range(STAY):
                    if stop.is_set():
                        break
                    await one(link, number % 4 == 0, chance, told)
        except (OSError, EOFError) as error:
            told.errors += 1
            told.wrong.append(repr(error))


async def one(link: tuple[asyncio.StreamReader, asyncio.StreamWriter], watches: bool, chance: random.Random, told: Told) -> None:
    """Ask one question and judge the answer by what was certain before it was asked and still is after it."""
    ending = f" {chance.getrandbits(40):x}" if chance.random() < FRESH else ""
    path = WATCHED + quote(ending) if watches else "/ask?query=" + quote(chance.choice(QUESTIONS) + ending)
    here, turn = told.here, told.turn
    status, body = await asked(*link, "GET", path)
    told.requests += 1
    told.errors += status != 200
    if status != 200:
        told.wrong.append(f"{status} {path}")
    if watches and here is not None and turn == told.turn:
        told.watched += 1
        told.stale += not here and MARK in body
        told.missed += here and MARK not in body


async def change(told: Told, folder: Path) -> None:
    """Add a source while another is removed, then remove it too."""
    round_ = told.rounds
    place = folder / f"lights{round_}"
    place.mkdir(parents=True)
    (place / "light.md").write_text(
        f"# Lights\n\n## Keepers\n\nIn year {round_}, {MARK.decode()} lit the lamp of the lighthouse at dusk.\n"
    )
    (place / "boats.md").write_text(f"# Boats\n\nBoats of year {round_} are built of teak and mend their own sails.\n")
    told.here, told.turn = None, told.turn + 1
    async with connected() as link:
        body = json.dumps({"location": str(place), "name": f"lights-{round_}"}).encode()
        job = json.loads((await asked(*link, "POST", "/v1/sources", body))[1])
        statuses = []
        if round_:
            statuses.append((await asked(*link, "DELETE", f"/v1/sources/boats-{round_ - 1}"))[0])
        while job["state"] not in ("done", "failed", "cancelled"):
            await asyncio.sleep(0.1)
            job = json.loads((await asked(*link, "GET", f"/v1/jobs/{job['id']}"))[1])
        told.errors += job["state"] != "done"
        told.here, told.turn = True, told.turn + 1
        await asyncio.sleep(1)
        told.here, told.turn = None, told.turn + 1
        statuses.append((await asked(*link, "DELETE", f"/v1/sources/lights-{round_}"))[0])
        told.here, told.turn = False, told.turn + 1
        body = json.dumps({"location": str(place / "boats.md"), "name": f"boats-{round_}"}).encode()
        statuses.append((await asked(*link, "POST", "/v1/sources", body))[0])
        told.errors += sum(status >= 300 for status in statuses)
    told.rounds += 1
    await asyncio.sleep(1)


async def soak(pid: int, folder: Path, seconds: int, clients: int) -> Told:
    """Let the clients run for that long while sources change, and note the memory every ten seconds."""
    told, stop = Told(), asyncio.Event()
    told.memory_mb["start"] = round(memory_mb(pid), 1)
    running = [asyncio.create_task(client(number, told, stop)) for number in range(clients)]
    began = time.monotonic()

    async def watch() -> None:
        while True:
            await asyncio.sleep(10 - (time.monotonic() - began) % 10)
            told.memory_mb[f"{time.monotonic() - began:.0f}s"] = round(memory_mb(pid), 1)

    watching = asyncio.create_task(watch())
    while time.monotonic() - began < seconds:
        await change(told, folder)
    stop.set()
    watching.cancel()
    await asyncio.gather(*running)
    told.memory_mb["end"] = round(memory_mb(pid), 1)
    return told


def main() -> None:
    """Run it and print what the clients saw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--clients", type=int, default=200)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Library(str(folder / "library.db")) as library:
            for path in corpora(options.shared):
                library.add(str(path))
        config = folder / "pincite.toml"
        config.write_text(
            f'store = "{folder / "library.db"}"\n[rate_limiting]\nenabled = false\n[security]\nlocal_roots = ["{folder / "more"}"]\n'
        )
        command = [sys.executable, "-m", "pincite", "serve", "--config", str(config), "--port", str(PORT)]
        with served(command, PORT, "/ready") as pid:
            told = asyncio.run(soak(pid, folder / "more", options.seconds, options.clients))
    sizes = told.memory_mb
    figures = {"requests": told.requests, "watched": told.watched, "rounds": told.rounds, "errors": told.errors, "stale": told.stale}
    print(json.dumps({"case": f"soak, {options.clients} clients", **figures, "missed": told.missed, "memory_mb": sizes}), flush=True)
    for line in told.wrong[:10]:
        print(line, file=sys.stderr)


if __name__ == "__main__":
    main()
