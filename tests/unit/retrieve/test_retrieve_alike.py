"""The same text, or nearly the same on another page of the source, is shown once."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from pincite.retrieve.alike import apart
from pincite.types import Chunk, Context, Entry, Hit, Holding, Span, chunk_id, passage_id

SAID = "A pool hands connections out and takes them back; before a checkout it asks whether the server is still there, so none is stale"


def found(*pages):
    out = []
    for n, (source, heading, text) in enumerate(pages, 1):
        holding = Holding(n, source, f"https://e.org/{n}", f"{n}.html", f"REF-{n}", f"doc_{n}", datetime(2026, 1, 1, tzinfo=UTC))
        span = Span(0, len(text))
        chunk = Chunk(chunk_id(f"doc_{n}", span), f"doc_{n}", span, 1, "doc", (heading,))
        entry = Entry(passage_id(holding.ref, chunk.id), chunk, holding, text, Context())
        out.append((Hit(entry.id, 10.0 - n), entry))
    return out


@pytest.mark.parametrize(
    ("other", "shown"),
    [
        (("docs", "Pools", SAID), 1),
        (("docs", "Pools", f"{SAID} again"), 1),
        (("docs", "Pools", "Pools are made once, when the program starts, and live as long as it."), 2),
        (("docs", "Sizes", f"{SAID} again"), 2),
        (("docs-2.0", "Pools", f"{SAID} again"), 2),
    ],
    ids=["same", "an edition of it", "another text", "another heading", "another source"],
)
def test_what_says_the_same_again_is_left_out(other, shown):
    assert len(apart(found(("docs", "Pools", SAID), other))) == shown


def test_the_better_of_two_stays():
    best, _ = found(("docs", "Pools", SAID), ("docs", "Pools", SAID))
    assert apart([best, _]) == [best]
