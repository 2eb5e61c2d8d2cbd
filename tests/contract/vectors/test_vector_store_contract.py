"""What every vector store does, built in or a server, asked of the real thing."""

from __future__ import annotations

import socket
import struct
from contextlib import closing

import pytest

np = pytest.importorskip("numpy")

from pincite.adapters.chroma import ChromaStore  # noqa: E402
from pincite.adapters.pgvector import PgVectorStore  # noqa: E402
from pincite.adapters.qdrant import QdrantStore  # noqa: E402
from pincite.errors import StoreError, UsageError  # noqa: E402
from pincite.types import Point  # noqa: E402


def point(id, vector, holding=1, source="docs"):
    return Point(id, holding, source, struct.pack(f"<{len(vector)}f", *vector))


EAST, NORTH, WEST, BETWEEN = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [1.0, 1.0, 0.0]


def test_a_new_one_knows_nothing(opened):
    store = opened()
    assert store.seen() == 0
    assert list(store.ids()) == []
    assert list(store.nearest(EAST, 5)) == []


def test_the_nearest_come_first_with_their_cosines(opened):
    store = opened()
    store.write([point("psg_n", NORTH), point("psg_e", EAST), point("psg_b", BETWEEN), point("psg_w", WEST)], [1], 4)
    found = store.nearest([2.0, 0.0, 0.0], 3)
    assert [id for id, _ in found] == ["psg_e", "psg_b", "psg_n"]
    assert [score for _, score in found] == pytest.approx([1.0, 0.5**0.5, 0.0], abs=1e-3)


def test_more_may_be_asked_for_than_there_is(opened):
    store = opened()
    store.write([point("psg_e", EAST)], [1], 1)
    assert [id for id, _ in store.nearest(EAST, 100)] == ["psg_e"]


def test_what_was_written_and_seen_is_there_when_it_is_opened_again(opened):
    opened().write([point("psg_e", EAST)], [1], 7)
    again = opened()
    assert again.seen() == 7
    assert list(again.ids()) == ["psg_e"]
    assert [id for id, _ in again.nearest(EAST, 1)] == ["psg_e"]


def test_the_same_write_again_changes_nothing(opened):
    store = opened()
    for _ in range(2):
        store.write([point("psg_e", EAST), point("psg_n", NORTH)], [1], 3)
    assert sorted(store.ids()) == ["psg_e", "psg_n"]
    assert len(store.nearest(EAST, 10)) == 2


def test_what_a_holding_had_is_gone_with_it(opened):
    store = opened()
    store.write([point("psg_e", EAST, 1), point("psg_n", NORTH, 2)], [1, 2], 2)
    store.write([], [1], 3)
    assert list(store.ids()) == ["psg_n"]
    assert [id for id, _ in store.nearest(EAST, 5)] == ["psg_n"]
    assert store.seen() == 3


def test_a_passage_of_two_holdings_is_found_once_and_outlives_one_of_them(opened):
    store = opened()
    store.write([point("psg_e", EAST, 1), point("psg_e", EAST, 2)], [1, 2], 2)
    assert [id for id, _ in store.nearest(EAST, 5)] == ["psg_e"]
    store.write([], [2], 3)
    assert [id for id, _ in store.nearest(EAST, 5)] == ["psg_e"]


def test_only_the_sources_asked_for_are_looked_at(opened):
    store = opened()
    near = [point(f"psg_{n}", [1.0, n / 1000, 0.0], n, "noise") for n in range(600)]
    store.write([*near, point("psg_far", WEST, 9001, "docs"), point("psg_up", NORTH, 9002, "manual")], [9001, 9002], 1)
    assert [id for id, _ in store.nearest(EAST, 5, ["docs"])] == ["psg_far"]
    assert [id for id, _ in store.nearest(EAST, 5, ["docs", "manual"])] == ["psg_up", "psg_far"]
    assert list(store.nearest(EAST, 5, ["unknown"])) == []


def test_cleared_it_is_as_new_and_takes_another_length(opened):
    store = opened()
    store.write([point("psg_e", EAST)], [1], 7)
    store.clear()
    assert store.seen() == 0
    assert list(store.ids()) == []
    store.write([point("psg_two", [1.0, 0.0])], [1], 1)
    assert [id for id, _ in store.nearest([1.0, 0.0], 5)] == ["psg_two"]


def test_vectors_of_another_length_are_refused_and_nothing_is_noted(opened):
    store = opened()
    store.write([point("psg_e", EAST)], [1], 1)
    with pytest.raises(StoreError, match="gives 2 dimensions"):
        store.write([point("psg_two", [1.0, 0.0], 2)], [2], 2)
    assert store.seen() == 1
    assert list(store.ids()) == ["psg_e"]


def test_what_another_model_filled_is_refused_with_what_to_do(opened):
    opened("one").write([point("psg_e", EAST)], [1], 1)
    with pytest.raises(StoreError, match=r"by one, not by another.*embed_model"):
        opened("another")


def test_thousands_are_written_and_found_in_one_go(opened):
    generator = np.random.default_rng(3)
    rows = generator.normal(size=(3000, 16)).astype(np.float32)
    units = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    store = opened()
    store.write([point(f"psg_{n}", row.tolist(), n % 50) for n, row in enumerate(rows)], list(range(50)), 50)
    assert len(list(store.ids())) == 3000
    hits = 0
    for query in generator.normal(size=(10, 16)):
        exact = {f"psg_{n}" for n in np.argsort(-(units @ query))[:10]}
        hits += len(exact & {id for id, _ in store.nearest(query.tolist(), 10)})
    assert hits >= 95


@pytest.mark.parametrize("kind", ["chroma", "qdrant", "pgvector"])
def test_a_server_that_does_not_answer_is_named_without_its_password(kind):
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    package = {"chroma": "chromadb", "qdrant": "qdrant_client", "pgvector": "psycopg"}[kind]
    pytest.importorskip(package)
    adapter = {"chroma": ChromaStore, "qdrant": QdrantStore, "pgvector": PgVectorStore}[kind]
    where = f"postgresql://user:geheim@127.0.0.1:{port}/db" if kind == "pgvector" else f"http://127.0.0.1:{port}"
    with pytest.raises(StoreError, match=rf"127\.0\.0\.1:{port}.*vectors_url") as failed:
        adapter.open(where, "c", "m")
    assert "geheim" not in str(failed.value)


def test_an_address_that_is_no_database_is_a_usage_error():
    pytest.importorskip("psycopg")
    with pytest.raises(UsageError, match="postgresql://"):
        PgVectorStore.open("http://127.0.0.1:1", "c", "m")
