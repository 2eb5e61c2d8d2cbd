"""What a store's tables are: the statements of each numbered migration, in order.

In: nothing. Out: SQL. A migration that has been released is never edited; a change is a new number. Times are text as `types.timestamp`
writes them, so that they sort; ids made of a digest are kept as its bytes. Columns of type ANY hold text, or its bytes where the text has
lone surrogates (file names that are no UTF-8). `texts.id` is `document << 20 | page`, `chunks.id` is `cut << 20 | number`: one integer
key finds a slice of text without an index of its own.
"""

from __future__ import annotations

APPLICATION_ID = 0x50494E43
"""`PINC`, at byte 68 of the file: tells a store from any other SQLite file."""

FIRST = (
    """CREATE TABLE sources (
        id INTEGER PRIMARY KEY AUTOINCREMENT, slug TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, location ANY NOT NULL, version TEXT NOT NULL,
        policy TEXT NOT NULL, added_at TEXT, place INTEGER NOT NULL, removed INTEGER NOT NULL DEFAULT 0) STRICT""",
    """CREATE TABLE blobs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key BLOB NOT NULL UNIQUE, size INTEGER NOT NULL, data BLOB) STRICT""",
    """CREATE TABLE captures (
        id INTEGER PRIMARY KEY AUTOINCREMENT, ref TEXT NOT NULL UNIQUE, source INTEGER NOT NULL REFERENCES sources, url ANY NOT NULL,
        path ANY NOT NULL, snapshot INTEGER NOT NULL REFERENCES blobs, response INTEGER REFERENCES blobs, fetched_at TEXT NOT NULL,
        head TEXT NOT NULL, transport BLOB, purged INTEGER NOT NULL DEFAULT 0) STRICT""",
    "CREATE INDEX captures_page ON captures (source, url, id)",
    "CREATE INDEX captures_url ON captures (url, fetched_at)",
    "CREATE INDEX captures_snapshot ON captures (snapshot)",
    "CREATE INDEX captures_response ON captures (response) WHERE response IS NOT NULL",
    """CREATE TABLE checks (
        capture INTEGER NOT NULL REFERENCES captures, at TEXT NOT NULL, PRIMARY KEY (capture, at)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE marks (
        id INTEGER PRIMARY KEY AUTOINCREMENT, capture INTEGER NOT NULL REFERENCES captures, mark TEXT NOT NULL, who TEXT NOT NULL,
        why TEXT NOT NULL, at TEXT NOT NULL) STRICT""",
    "CREATE INDEX marks_capture ON marks (capture, id)",
    """CREATE TABLE documents (
        id INTEGER PRIMARY KEY AUTOINCREMENT, key ANY NOT NULL UNIQUE, snapshot ANY NOT NULL, title ANY NOT NULL, language TEXT NOT NULL,
        chars INTEGER NOT NULL, sha256 BLOB NOT NULL, head BLOB, purged INTEGER NOT NULL DEFAULT 0) STRICT""",
    "CREATE INDEX documents_snapshot ON documents (snapshot)",
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT",
    """CREATE TABLE cuts (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES documents, key BLOB NOT NULL, base TEXT NOT NULL,
        size INTEGER NOT NULL, current INTEGER NOT NULL DEFAULT 1, UNIQUE (document, key)) STRICT""",
    """CREATE TABLE chunks (
        id INTEGER PRIMARY KEY, key ANY NOT NULL, start INTEGER NOT NULL, stop INTEGER NOT NULL, boilerplate INTEGER NOT NULL,
        data TEXT NOT NULL) STRICT""",
    """CREATE TABLE holdings (
        id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL REFERENCES sources, url ANY NOT NULL, path ANY NOT NULL,
        capture INTEGER NOT NULL REFERENCES captures, document INTEGER NOT NULL REFERENCES documents, cut INTEGER NOT NULL REFERENCES cuts,
        valid_from TEXT NOT NULL, valid_to TEXT, retired INTEGER NOT NULL DEFAULT 0, purged INTEGER NOT NULL DEFAULT 0) STRICT""",
    "CREATE UNIQUE INDEX holdings_open ON holdings (source, url) WHERE valid_to IS NULL AND retired = 0",
    "CREATE INDEX holdings_page ON holdings (source, url, id)",
    "CREATE INDEX holdings_capture ON holdings (capture, id)",
    "CREATE INDEX holdings_document ON holdings (document)",
    """CREATE TABLE passages (
        key BLOB NOT NULL, holding INTEGER NOT NULL REFERENCES holdings, n INTEGER NOT NULL,
        PRIMARY KEY (key, holding)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE changes (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, op TEXT NOT NULL, holding INTEGER NOT NULL REFERENCES holdings) STRICT""",
    """CREATE TABLE runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, source INTEGER NOT NULL REFERENCES sources, started_at TEXT NOT NULL, finished_at TEXT,
        documents INTEGER NOT NULL DEFAULT 0, chunks INTEGER NOT NULL DEFAULT 0, removed INTEGER NOT NULL DEFAULT 0) STRICT""",
    "CREATE INDEX runs_source ON runs (source, id)",
    """CREATE TABLE pages (
        id INTEGER PRIMARY KEY, run INTEGER NOT NULL REFERENCES runs, url ANY NOT NULL, wanted INTEGER NOT NULL, outcome TEXT,
        reason TEXT NOT NULL DEFAULT '', ref TEXT, UNIQUE (run, url)) STRICT""",
    """CREATE TABLE citations (
        id TEXT PRIMARY KEY, ref TEXT NOT NULL, document ANY NOT NULL, purged INTEGER NOT NULL DEFAULT 0,
        data BLOB NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX citations_ref ON citations (ref)",
)

SECOND = (
    "CREATE TABLE models (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, dim INTEGER NOT NULL) STRICT",
    """CREATE TABLE vectors (
        id INTEGER PRIMARY KEY, model INTEGER NOT NULL REFERENCES models, key ANY NOT NULL, data BLOB NOT NULL,
        UNIQUE (model, key)) STRICT""",
    "ALTER TABLE pages ADD COLUMN depth INTEGER NOT NULL DEFAULT 0",
)

THIRD = (
    "CREATE TABLE written (key ANY PRIMARY KEY, document ANY NOT NULL, data TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX written_document ON written (document)",
    "CREATE TABLE identity (token BLOB NOT NULL) STRICT",
    "INSERT INTO identity VALUES (randomblob(16))",
)

MIGRATIONS: tuple[tuple[str, ...], ...] = (FIRST, SECOND, THIRD)
"""`MIGRATIONS[n]` brings a store from version n to n + 1."""

VERSION = len(MIGRATIONS)
