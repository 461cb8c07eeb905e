"""The catalogue's tables. Derived from the record log, and never more than it: see `catalogue`.

`version` has a row for every readable version of a record, `sequence` being the number of its line in the log.
`valid_to` and `deleted_at` are as they stand now, `first_…` as they were written; `change` holds what happened between.
`replaced_at` is when the next version of the same id was written, null for the newest. Times in microseconds.

The words of all versions stand in an FTS5 table without their text; the tokenizer sees words that are split already,
joined by blanks, of which `ascii` takes each as it is. `posting` shows every occurrence of every word.
"""

from __future__ import annotations

FORMAT = 1

TABLES = """
CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE version (
    sequence INTEGER PRIMARY KEY, id TEXT NOT NULL, number INTEGER NOT NULL,
    written_at INTEGER NOT NULL, replaced_at INTEGER,
    created_at INTEGER NOT NULL, valid_from INTEGER NOT NULL, valid_to INTEGER, deleted_at INTEGER,
    first_valid_to INTEGER, first_deleted_at INTEGER,
    vector INTEGER NOT NULL, crc32 INTEGER NOT NULL, words INTEGER NOT NULL,
    offset INTEGER NOT NULL, size INTEGER NOT NULL
);
CREATE UNIQUE INDEX version_by_id ON version (id, number);
CREATE UNIQUE INDEX version_by_vector ON version (vector);
CREATE INDEX newest_by_creation ON version (created_at, id) WHERE replaced_at IS NULL;
CREATE TABLE pair (
    key TEXT NOT NULL, value TEXT NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (key, value, sequence)
) WITHOUT ROWID;
CREATE TABLE change (
    sequence INTEGER PRIMARY KEY, version INTEGER NOT NULL, what TEXT NOT NULL, written_at INTEGER NOT NULL,
    valid_to INTEGER, deleted_at INTEGER, made_by TEXT
);
CREATE INDEX change_by_version ON change (version);
CREATE TABLE erased (id TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE unreadable (sequence INTEGER PRIMARY KEY, id TEXT, code TEXT NOT NULL, message TEXT NOT NULL);
CREATE VIRTUAL TABLE word USING fts5(words, content='', columnsize=0, tokenize='ascii');
CREATE VIRTUAL TABLE posting USING fts5vocab(word, instance);
"""

NEWEST = """
    SELECT sequence, id, number, written_at, created_at, valid_from, valid_to, deleted_at, vector, crc32, words, offset,
           size
    FROM version WHERE replaced_at IS NULL
"""

KNOWN_AT = """
    SELECT sequence, id, number, written_at, created_at, valid_from,
           coalesce((SELECT valid_to FROM change WHERE change.version = version.sequence AND valid_to IS NOT NULL
                     AND change.written_at <= :known_at ORDER BY change.sequence DESC LIMIT 1),
                    first_valid_to) AS valid_to,
           coalesce((SELECT deleted_at FROM change WHERE change.version = version.sequence AND deleted_at IS NOT NULL
                     AND change.written_at <= :known_at ORDER BY change.sequence DESC LIMIT 1),
                    first_deleted_at) AS deleted_at,
           vector, crc32, words, offset, size
    FROM version WHERE written_at <= :known_at AND (replaced_at IS NULL OR replaced_at > :known_at)
"""
