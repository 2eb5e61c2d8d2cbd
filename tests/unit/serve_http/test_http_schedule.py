"""When sources are due."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from pincite.serve.schedule import due, moment_of

HOUR = 3600.0


@given(st.text(min_size=1, max_size=20), st.floats(1, 1e6), st.floats(1e6, 4e9))
def test_a_moment_is_never_after_now_and_never_a_whole_interval_before(source: str, interval: float, now: float) -> None:
    moment = moment_of(source, interval, now)
    assert moment <= now + 1e-3
    assert moment > now - interval - 1e-3


def test_every_source_is_due_once_in_an_interval_whatever_the_steps() -> None:
    sources = [f"source-{i}" for i in range(50)]
    found = [pair for step in range(288) for pair in due(sources, 24 * HOUR, 1e9 + step * 300, 1e9 + (step + 1) * 300)]
    assert sorted(source for source, _ in found) == sorted(sources)


def test_sources_are_spread_over_the_interval() -> None:
    moments = sorted(moment_of(f"source-{i}", HOUR, 1e9) for i in range(200))
    assert max(b - a for a, b in itertools.pairwise(moments)) < HOUR / 10


def test_two_processes_name_the_same_moment() -> None:
    assert moment_of("docs", HOUR, 1e9 + 10) == moment_of("docs", HOUR, 1e9 + 11)
