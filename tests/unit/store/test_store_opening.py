"""What lies at a place is told apart, and said in words that help."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from pincite.errors import Refused, StoreError, StoreMissing
from pincite.store import migrations
from pincite.store.links import Links
from pincite.store.schema import APPLICATION_ID, MIGRATIONS, VERSION
from pincite.store.sqlite import SqliteStore
from pincite.types import Fetched, Source

T0 = datetime(2026, 3, 1, 9, tzinfo=UTC)


def filled(place: Path) -> SqliteStore:
    store = SqliteStore.open(str(place), create=True)
    store.put_source(Source("notes", "folder", "/srv/notes"))
    return store


def capture(store: SqliteStore, n: int, body: bytes) -> None:
    with store.batch() as batch:
        batch.put_capture("notes", Fetched(f"file:///{n}", f"file:///{n}", str(n), 200, (), "text/plain", body, T0))


def a_text(place: Path) -> None:
    place.write_text("Dear diary, this is not a database but it is long enough to be one.\n" * 40)


def a_foreign_database(place: Path) -> None:
    with sqlite3.connect(place) as db:
        db.execute("CREATE TABLE recipes (name)")
    db.close()


def an_app_of_another_kind(place: Path) -> None:
    db = sqlite3.connect(place)
    db.execute("PRAGMA application_id = 77")
    db.close()


def a_newer_store(place: Path) -> None:
    filled(place).shut()
    db = sqlite3.connect(place)
    db.execute(f"PRAGMA user_version = {VERSION + 1}")
    db.close()


def a_truncated_store(place: Path) -> None:
    store = filled(place)
    capture(store, 1, os.urandom(200_000))
    store.shut()
    os.truncate(place, 5000)


def a_folder(place: Path) -> None:
    place.mkdir()


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (a_text, "not a database"),
        (a_foreign_database, "not a Pincite store"),
        (an_app_of_another_kind, "not a Pincite store"),
        (a_newer_store, "newer Pincite"),
        (a_truncated_store, "damaged"),
        (a_folder, "is a folder"),
    ],
    ids=["text", "foreign", "other-app", "newer", "truncated", "folder"],
)
@pytest.mark.parametrize("read_only", [False, True], ids=["write", "read"])
def test_what_is_no_usable_store_is_named_and_left_alone(tmp_path: Path, make: Callable[[Path], None], says: str, read_only: bool) -> None:
    place = tmp_path / "library.db"
    make(place)
    before = place.read_bytes() if place.is_file() else b""
    with pytest.raises(StoreError, match=says) as caught:
        SqliteStore.open(str(place), create=not read_only, read_only=read_only)
    assert not isinstance(caught.value, StoreMissing)
    assert before == (place.read_bytes() if place.is_file() else b"")


@pytest.mark.parametrize("read_only", [False, True], ids=["write", "read"])
@pytest.mark.parametrize("empty", [False, True], ids=["absent", "zero-length"])
def test_no_store_yet_is_missing_not_broken(tmp_path: Path, empty: bool, read_only: bool) -> None:
    place = tmp_path / "library.db"
    if empty:
        place.touch()
    with pytest.raises(StoreMissing, match="pincite add"):
        SqliteStore.open(str(place), create=False, read_only=read_only)
    assert place.exists() == empty


@pytest.mark.parametrize("place", ["", "a\0b"], ids=["empty", "nul"])
def test_a_place_that_is_no_path_is_refused(place: str) -> None:
    with pytest.raises(StoreError, match="path"):
        SqliteStore.open(place, create=True)


def test_a_store_is_made_with_its_folder_in_a_file_that_was_empty(tmp_path: Path) -> None:
    place = tmp_path / "new" / "deep #1?" / "library 100%.db"
    filled(place).shut()
    (tmp_path / "zero.db").touch()
    filled(tmp_path / "zero.db").shut()
    store = SqliteStore.open(str(place), create=False)
    assert [s.slug for s in store.sources()] == ["notes"]
    assert store.index_place == str(place) + ".index"
    store.shut()


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for place in ("file/library.db", "file/deep/library.db"):
        with pytest.raises(StoreError, match="file"):
            SqliteStore.open(str(tmp_path / place), create=True)


def test_the_file_says_what_it_is(tmp_path: Path) -> None:
    filled(tmp_path / "library.db").shut()
    db = sqlite3.connect(tmp_path / "library.db")
    assert db.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert db.execute("PRAGMA user_version").fetchone() == (VERSION,)
    assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    db.close()
    assert (tmp_path / "library.db").read_bytes()[68:72] == b"PINC"


def test_a_migration_that_fails_leaves_the_version_before(tmp_path: Path) -> None:
    place = str(tmp_path / "library.db")
    db = sqlite3.connect(place, isolation_level=None)
    broken = (*MIGRATIONS[:1], ("CREATE TABLE half (x)", "CREATE TABLE half (x)"))
    with pytest.raises(sqlite3.OperationalError):
        migrations.migrate(db, place, broken)
    assert migrations.version(db, place) == 1
    assert db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'half'").fetchone() == (0,)
    migrations.migrate(db, place)
    assert migrations.version(db, place) == VERSION
    db.close()


def test_every_older_version_is_brought_up_with_its_rows(tmp_path: Path) -> None:
    for version in range(1, VERSION + 1):
        place = str(tmp_path / f"{version}.db")
        db = sqlite3.connect(place, isolation_level=None)
        migrations.migrate(db, place, MIGRATIONS[:version])
        db.execute("INSERT INTO sources (slug, kind, location, version, policy, place) VALUES ('old', 'folder', '/srv', '', '{}', 1)")
        db.close()
        store = SqliteStore.open(place, create=False)
        assert [s.slug for s in store.sources()] == ["old"]
        assert list(store.check()) == []
        store.shut()


def test_a_locked_store_is_said_to_be_locked_and_can_still_be_read(tmp_path: Path) -> None:
    place = tmp_path / "library.db"
    filled(place).shut()
    other = sqlite3.connect(place, isolation_level=None)
    store = SqliteStore.open(str(place), create=True, wait_s=0.05)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="locked by another process"):
        capture(store, 1, b"x")
    assert [s.slug for s in store.sources()] == ["notes"]
    other.execute("ROLLBACK")
    capture(store, 1, b"x")
    assert len(store.captures("file:///1")) == 1
    other.close()
    store.shut()


class SmallDisk(Links):
    """Links to a file that may not grow past some pages: SQLite then says SQLITE_FULL, as on a full disk."""

    def connect(self):  # type: ignore[no-untyped-def]
        link = super().connect()
        link.db.execute("PRAGMA max_page_count = 200")
        return link


def test_a_full_disk_rolls_the_batch_back_and_loses_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "library.db")
    filled(tmp_path / "library.db").shut()
    store = SqliteStore(place, SmallDisk(place, "rw"))
    numbers = iter(range(1000))

    def fill() -> None:
        for n in numbers:
            capture(store, n, os.urandom(20_000))

    with pytest.raises(StoreError, match=r"full.*Nothing was lost"):
        fill()
    kept = next(numbers) - 1
    assert kept > 10
    store.shut()
    store = SqliteStore.open(place, create=False)
    assert [len(store.captures(f"file:///{n}")) for n in range(kept + 1)] == [1] * kept + [0]
    assert list(store.check()) == []
    capture(store, kept, b"room again")
    store.shut()


def test_reading_only_refuses_writes_by_rule(tmp_path: Path) -> None:
    filled(tmp_path / "library.db").shut()
    store = SqliteStore.open(str(tmp_path / "library.db"), create=False, read_only=True)
    assert store.read_only
    with pytest.raises(Refused) as caught:
        capture(store, 1, b"x")
    assert caught.value.rule == "read_only"
    for write in (
        lambda: store.put_source(Source("more", "folder", "/")),
        lambda: store.remove("notes", T0),
        lambda: store.mark("REF-000000", "keep", who="", why="", at=T0),
        lambda: store.start_run("notes", T0),
    ):
        with pytest.raises(Refused):
            write()
    store.shut()


READER = """
import os, pathlib, sys
pathlib.Path("/").as_uri()  # imports what another user may not read
from pincite.errors import Refused
from pincite.store.sqlite import SqliteStore
if os.geteuid() == 0:
    os.setgid(65534), os.setuid(65534)
store = SqliteStore.open(sys.argv[1], create=True)
print(store.read_only, *[s.slug for s in store.sources()], flush=True)
for _ in sys.stdin:
    print(*[s.slug for s in store.sources()], flush=True)
try:
    store.start_run("notes", None)
except Refused as error:
    print(error.rule)
store.shut()
"""


@pytest.fixture
def shown() -> Iterator[Path]:
    """A folder that others may read; pytest closes its own to them whenever a session begins."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def reader(place: Path, *, stdin: str = "") -> list[str]:
    done = subprocess.run([sys.executable, "-c", READER, str(place)], input=stdin, capture_output=True, text=True, timeout=60, check=False)
    assert done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize(("file", "folder"), [(0o444, 0o755), (0o644, 0o555), (0o444, 0o555)], ids=["file", "folder", "both"])
def test_a_store_that_may_not_be_written_is_opened_for_reading(shown: Path, file: int, folder: int) -> None:
    place = shown / "own" / "library.db"
    filled(place).shut()
    place.chmod(file)
    place.parent.chmod(folder)
    try:
        assert reader(place) == ["True notes", "read_only"]
        assert sorted(p.name for p in place.parent.iterdir()) == ["library.db"]
    finally:
        place.parent.chmod(0o755)
        place.chmod(0o644)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="needs two users")
@pytest.mark.parametrize("before", [True, False], ids=["writer-first", "reader-first"])
def test_a_reader_without_rights_follows_a_writer(shown: Path, before: bool) -> None:
    place = shown / "own" / "library.db"
    filled(place).shut()
    store = filled(place) if before else None
    with subprocess.Popen([sys.executable, "-c", READER, str(place)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.readline() == "True notes\n"
        store = store or filled(place)
        for slug in ("one", "two"):
            store.put_source(Source(slug, "folder", "/"))
        child.stdin.write("look\n")
        child.stdin.flush()
        assert child.stdout.readline() == "notes one two\n"
        store.shut()
        child.stdin.write("look\n")
        child.stdin.close()
        assert child.stdout.read().splitlines() == ["notes one two", "read_only"]
    assert child.returncode == 0


def test_a_store_that_was_shut_says_so(tmp_path: Path) -> None:
    store = filled(tmp_path / "library.db")
    store.shut()
    store.shut()
    with pytest.raises(StoreError, match="closed"):
        store.sources()
    assert not (tmp_path / "library.db-wal").exists()
