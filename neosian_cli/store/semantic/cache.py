"""Embeddings that were paid for: text in, vector out, kept on disk in the namespace.

Keys are the SHA-256 of provider, model, dimensions and the exact text; content and queries share them. The oldest go
first when there are more than the namespace keeps, but never those of a load that has not committed: a second run of
it goes on from here. Every vector carries its CRC-32, so a damaged one is a miss. A cache that cannot be opened is
no cache. Deleted rows are overwritten (`secure_delete`). The caller holds the root lock.
"""

from __future__ import annotations

import os
import zlib

from neosian_cli.disk import derived
from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.model.digest import sha256
from neosian_cli.store.semantic import immutable, places
from neosian_cli.store.semantic.selection import listed

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    from neosian_cli.disk.tree import File
    from neosian_cli.model.namespace import Binding

    T = TypeVar("T")

NAME = "cache.sqlite"
TABLE = """
CREATE TABLE IF NOT EXISTS embedding (
    number INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT UNIQUE NOT NULL, vector BLOB NOT NULL, crc32 INTEGER NOT NULL,
    waiting INTEGER NOT NULL
)
"""
BUSY = 30.0


def key_of(binding: Binding, text: str) -> str:
    known = f"{binding.provider}\0{binding.model}\0{binding.dimensions}\0{text}"
    return sha256(known.encode()).hexdigest()


def fault_of(path: str) -> str | None:
    """What is wrong with a cache file that has content; None too where somebody else keeps it busy."""
    found = _damaged_keys(path)
    return found if isinstance(found, str) else f"has {len(found)} damaged embeddings" if found else None


def _damaged_keys(path: str) -> list[str] | str:
    """The keys whose vectors are damaged, or why no key can be told."""
    from neosian_cli.store.semantic.database import sqlite3

    connection = None
    try:
        connection = _looked_into(path)
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            return "is damaged"
        rows = connection.execute("SELECT key, vector, crc32 FROM embedding")
        damaged = [key for key, vector, crc32 in rows if not _is_whole(vector, crc32)]
        return damaged if all(type(key) is str for key in damaged) else "holds a key that is no text"
    except sqlite3.Error as error:
        busy = getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        return [] if busy else f"cannot be read: {error}"
    finally:
        if connection is not None:
            connection.close()


def _is_whole(vector: object, crc32: object) -> bool:
    """Whether a row holds the bytes that were stored: a column takes a value of any type."""
    return isinstance(vector, bytes) and zlib.crc32(vector) == crc32


def _looked_into(path: str) -> sqlite3.Connection:
    """A connection that changes nothing, but for what a writer that was killed has left to be taken back."""
    from neosian_cli.store.semantic.database import sqlite3

    if not os.access(path, os.W_OK):
        return immutable.connect(path)
    connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
    connection.execute("PRAGMA query_only = ON")
    return connection


class Cache:
    """The cache of one namespace, opened under the root lock and closed before it is given up."""

    def __init__(self, root: str, tree: Tree, namespace: str) -> None:
        self._directory = places.derived(namespace)
        self._path = os.path.join(root, self._directory, NAME)
        self._tree = tree
        self._root = root
        self._connection: sqlite3.Connection | None = None

    def lookup(self, keys: Sequence[str]) -> dict[str, bytes]:
        """The vectors of those keys that are here."""
        if not self._open(make=False):
            return {}
        sql = "SELECT key, vector, crc32 FROM embedding WHERE key IN (SELECT value FROM json_each(?))"
        rows = self._try(lambda connection: connection.execute(sql, (listed(keys),)).fetchall()) or []
        return {key: vector for key, vector, crc32 in rows if _is_whole(vector, crc32)}

    def put(self, vectors: Mapping[str, bytes], *, waiting: bool) -> None:
        """Keep these; `waiting` for a load that is to be committed."""
        if vectors and self._open(make=True):
            rows = [(key, vector, zlib.crc32(vector), int(waiting)) for key, vector in vectors.items()]
            sql = (
                "INSERT INTO embedding (key, vector, crc32, waiting) VALUES (?, ?, ?, ?) ON CONFLICT (key) "
                "DO UPDATE SET vector = excluded.vector, crc32 = excluded.crc32, "
                "waiting = max(waiting, excluded.waiting)"
            )
            self._change(lambda connection: connection.executemany(sql, rows))

    def settle(self, keys: Sequence[str], size: int) -> None:
        """The load with these keys has committed; drop the oldest beyond `size`, apart from what still waits."""
        if not self._open(make=False):
            return

        def settled(connection: sqlite3.Connection) -> None:
            sql = "UPDATE embedding SET waiting = 0 WHERE waiting AND key IN (SELECT value FROM json_each(?))"
            connection.execute(sql, (listed(keys),))
            held = connection.execute("SELECT count(*) FROM embedding WHERE NOT waiting").fetchone()[0]
            if held > size:
                oldest = "SELECT number FROM embedding WHERE NOT waiting ORDER BY number LIMIT ?"
                connection.execute(f"DELETE FROM embedding WHERE number IN ({oldest})", (held - size,))

        self._change(settled)

    def forget(self, keys: Iterable[str]) -> None:
        """Remove these for good; a cache in which that fails is removed whole. Its directory is the caller's to sync.

        SQLite is told to wait for nothing here, so the overwritten rows are made durable by us. Raises OSError.
        """
        if self._tree.status(f"{self._directory}/{NAME}") is None:
            return
        sql = "DELETE FROM embedding WHERE key IN (SELECT value FROM json_each(?))"
        wanted = listed(list(keys))
        if not (self._open(make=False) and self._change(lambda connection: connection.execute(sql, (wanted,)))):
            self._remove()
        file = self._tree.open_for_change(f"{self._directory}/{NAME}")
        if file is not None:
            with file:
                self._tree.sync(file)

    def mend(self) -> None:
        """Remove the embeddings that are damaged, or everything where they cannot be told apart.

        What is gone is embedded again when it is needed. Raises OSError or `Unsafe`.
        """
        try:
            file = self._tree.open_file(f"{self._directory}/{NAME}")
            found = _damaged_keys(self._path) if file else []
            if file:
                file.close()
        except Unsafe as unsafe:
            found = unsafe.reason
        if not isinstance(found, str):
            self.forget(found)
            return
        self.close()
        own = Tree.open(self._root, self._tree.calls)
        try:
            derived.discard(own, self._directory, [f"{NAME}{suffix}" for suffix in ("", "-journal")])
        finally:
            own.close()

    def count(self) -> int:
        """Entries."""
        if not self._open(make=False):
            return 0
        found = self._try(lambda connection: connection.execute("SELECT count(*) FROM embedding").fetchone())
        return int(found[0]) if found else 0

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def _open(self, *, make: bool) -> bool:
        """Whether there is a cache to work with."""
        from neosian_cli.store.semantic.database import sqlite3

        if self._connection is not None:
            return True
        path = f"{self._directory}/{NAME}"
        try:
            file = self._tree.open_file(path)
            if file is None and make:
                self._make(path)
            elif file is None:
                return False
            else:
                with file:
                    if file.links > 1 and os.access(self._path, os.W_OK):
                        self._separate(file)
            self._connection = sqlite3.connect(self._path, timeout=BUSY, isolation_level=None)
            self._connection.execute("PRAGMA secure_delete = ON")
            self._connection.execute("PRAGMA synchronous = OFF")
            self._connection.execute(TABLE)
        except (sqlite3.Error, OSError, Unsafe):
            self.close()
            return False
        return True

    def _separate(self, file: File) -> None:
        """Give the root a file of its own where a second name, as in a backup by hard links, shares its bytes."""
        own = Tree.open(self._root, self._tree.calls)
        try:
            derived.publish(own, f"cache-{os.getpid()}", file.chunks(), f"{self._directory}/{NAME}")
        finally:
            own.close()

    def _make(self, path: str) -> None:
        own = Tree.open(self._root, self._tree.calls)
        try:
            own.make_directories(self._directory)
            own.create(path).close()
        except FileExistsError:
            pass
        finally:
            own.close()

    def _change(self, change: Callable[[sqlite3.Connection], object]) -> bool:
        """Whether the change was made, in one transaction of the cache."""

        def changed(connection: sqlite3.Connection) -> bool:
            with connection:
                connection.execute("BEGIN IMMEDIATE")
                change(connection)
            return True

        return bool(self._try(changed))

    def _try(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        """The work's result; None from a cache that is broken, which is removed and made anew when next written to."""
        from neosian_cli.store.semantic.database import sqlite3

        assert self._connection is not None  # opened just before
        try:
            return work(self._connection)
        except sqlite3.OperationalError:
            return None
        except sqlite3.DatabaseError:
            self._remove()
            return None

    def _remove(self) -> None:
        self.close()
        own = Tree.open(self._root, self._tree.calls)
        try:
            for suffix in ("", "-journal"):
                own.remove(f"{self._directory}/{NAME}{suffix}")
        except (OSError, Unsafe):
            pass
        finally:
            own.close()
