"""Opening the catalogue of a namespace so that it stands at the head of the log.

Failure model. `catalogue.json` names the one catalogue file that counts. A file is built under another name, whole and
synced, before it is named there; it never comes back under a name that was used, as SQLite finds its own side files by
name. It is taken for broken, and built anew, when it is missing, damaged, of another format, of another history or
ahead of the log. Where nothing can be written, it is built in memory for this one call.

The caller holds the root lock. SQLite writes these files by itself: docs/adr/0011-catalogue.md.
"""

from __future__ import annotations

import os

from neosian_cli.disk import derived
from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.store import log as logs
from neosian_cli.store.seal import NewerFormat, seal, unseal
from neosian_cli.store.semantic import immutable, places, recordlog, schema, selection
from neosian_cli.store.semantic.catalogue import Catalogue
from neosian_cli.store.semantic.recordlog import Position

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Sequence

    from neosian_cli.model.namespace import Namespace
    from neosian_cli.store.log import Head
    from neosian_cli.store.semantic.recordlog import Placed

POINTER = "catalogue.json"
PREFIX = "catalogue-"
SUFFIX = ".sqlite"
BUSY = 30.0
"""Seconds to wait for another reader that is taking lines in."""


class Derived:
    """The derived files of one namespace, under the root lock. `notes` are hints for a person."""

    def __init__(self, root: str, tree: Tree, namespace: Namespace, head: Head, new_id: Callable[[], str]) -> None:
        self._root = root
        self._tree = tree
        self._namespace = namespace
        self._head = head
        self._new_id = new_id
        self._log = places.log_of(namespace.name)
        self.directory = places.derived(namespace.name)
        self.notes: list[str] = []

    def catalogue(self) -> Catalogue:
        """The catalogue at the head of the log."""
        from neosian_cli.store.semantic.database import sqlite3

        name = self._named()[0]
        if name is not None:
            try:
                found = self._opened(name)
                if found is not None:
                    return found
            except (sqlite3.DatabaseError, KeyError, TypeError, ValueError):
                pass
            self.notes.append(f"the catalogue of {self._namespace.name} was not usable and has been built anew")
        try:
            return self._rebuilt()
        except (OSError, Unsafe, sqlite3.OperationalError):
            return self._built_in(sqlite3.connect(":memory:", isolation_level=None))

    def advance(self, found: Catalogue, head: Head, lines: Sequence[Placed]) -> None:
        """Take in the lines that have just been committed, which are all after the head that there was.

        A catalogue that cannot is left behind, and catches up another time.
        """
        from neosian_cli.store.semantic.database import sqlite3

        before, self._head = self._head.head, head
        try:
            if found.position.number < head.head:
                self._caught_up(found, lines if found.position.number == before else None)
        except (sqlite3.Error, OSError):
            self.notes.append(f"the catalogue of {self._namespace.name} has been left behind")

    def glance(self) -> Catalogue:
        """The catalogue as it stands where it is current, else one in memory: nothing is written."""
        from neosian_cli.store.semantic.database import sqlite3

        found = self.as_it_stands()
        if isinstance(found, Catalogue):
            if found.position.number == self._head.head:
                return found
            found.close()
        return self._built_in(sqlite3.connect(":memory:", isolation_level=None))

    def as_it_stands(self) -> Catalogue | str | None:
        """The catalogue, which may be behind the log; why the one that is there is of no use; None where there is none.

        Nothing is written. A reason continues a sentence that begins with the pointer's name.
        """
        from neosian_cli.store.semantic.database import sqlite3

        name, reason = self._named()
        if name is None:
            return reason
        connection = None
        try:
            connection = self._connect(os.path.join(self._root, self.directory, name))
            found = Catalogue(connection)
            if self._belongs(found):
                return found
            alien = found.format != schema.FORMAT
            reason = f"names a catalogue of {f'the format {found.format}' if alien else 'another history'}"
        except (sqlite3.Error, KeyError, TypeError, ValueError):
            reason = "names a catalogue that cannot be read"
        if connection is not None:
            connection.close()
        return reason

    def built_up_to(self, position: Position) -> Catalogue:
        """What a catalogue at that position should be, in memory. Raises what reading the log raises."""
        from neosian_cli.store.semantic.database import sqlite3

        return self._built_in(sqlite3.connect(":memory:", isolation_level=None), position)

    def renew(self) -> None:
        """Make the catalogue anew whatever there is, and drop what it replaces.

        Raises OSError, `Unsafe`, `io_error`, or what reading the log raises.
        """
        from neosian_cli.store.semantic.database import sqlite3

        try:
            self._rebuilt().close()
        except sqlite3.Error as error:
            reason = f"{self.directory}: {error}; nothing was changed"
            raise Failure("io_error", reason, committed=False, path=self.directory) from None

    def _named(self) -> tuple[str | None, str | None]:
        """The name of the catalogue file that counts, or why there is none; neither where no pointer is there."""
        try:
            data = self._tree.read(f"{self.directory}/{POINTER}")
            if data is None:
                return None, None
            name = unseal(data)["file"]
            file = self._tree.open_file(f"{self.directory}/{name}") if _is_name(name) else None
        except NewerFormat as newer:
            return None, str(newer)
        except (ValueError, KeyError, TypeError) as error:
            return None, f"is damaged: {error}"
        except Unsafe as unsafe:
            return None, f"is of no use: {unsafe}"
        if file is None:
            return None, "names a file that is missing"
        with file:
            if file.links > 1 and os.access(os.path.join(self._root, self.directory, str(name)), os.W_OK):
                # A second name, as in a backup by hard links, is not written to: the next one is the root's own.
                return None, None
        return str(name), None

    def _opened(self, name: str) -> Catalogue | None:
        """The catalogue of that name, caught up; None where it stands for something else than our log."""
        connection = self._connect(os.path.join(self._root, self.directory, name))
        try:
            found = Catalogue(connection)
            if self._belongs(found):
                if found.position.number < self._head.head:
                    found = self._caught_up(found)
                return found
        except BaseException:
            connection.close()
            raise
        connection.close()
        return None

    def _belongs(self, found: Catalogue) -> bool:
        position = found.position
        if (found.format, found.stream, found.generation) != (
            schema.FORMAT,
            self._head.stream,
            self._namespace.generation,
        ) or position.number > self._head.head:
            return False
        try:
            return logs.Reader(self._tree, self._log, self._head).chain_at(position.number) == position.chain
        except Failure:
            return False

    def _caught_up(self, found: Catalogue, lines: Sequence[Placed] | None = None) -> Catalogue:
        connection = found.connection
        if connection.in_transaction:
            connection.execute("COMMIT")
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Another reader may have taken the lines in while this one waited.
            is_same = found.position == (found := Catalogue(connection)).position
            self._take_in(found, lines if is_same else None)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        return found

    def _take_in(self, found: Catalogue, lines: Sequence[Placed] | None = None, end: Position | None = None) -> None:
        """Take in all lines up to the head, and stand there; `lines` are those where they need not be read.

        With an `end` no lines after that.
        """
        from neosian_cli.store.semantic.words import Splitter

        splitter = Splitter(self._namespace.binding.text_search)
        last = found.position
        offset = last.offset

        def counted() -> Iterator[Placed]:
            nonlocal offset
            for placed in lines or recordlog.scan(self._tree, self._log, self._head, last):
                if end is not None and placed.sequence > end.number:
                    return
                offset = placed.offset + placed.size
                yield placed

        found.take_in(counted(), splitter)
        found.stand_at(end or Position(self._head.head, offset, self._head.head_chain))

    def _rebuilt(self) -> Catalogue:
        """A new catalogue file, named and opened; older ones are removed."""
        tree = Tree.open(self._root, self._tree.calls)
        try:
            name = f"{PREFIX}{self._new_id().replace('-', '')}{SUFFIX}"
            with derived.waiting(tree, name) as place:
                tree.create(place).close()
                connection = self._connect(os.path.join(self._root, place), waiting=True)
                try:
                    self._built_in(connection)
                finally:
                    connection.close()
                derived.give_name(tree, place, f"{self.directory}/{name}")
            pointer = seal({"format": 1, "file": name})
            derived.publish(tree, f"pointer-{self._new_id()}", [pointer], f"{self.directory}/{POINTER}")
            others = [other for other, _ in tree.entries(self.directory) if _is_of_other(other, name)]
            derived.discard(tree, self.directory, others)
        finally:
            tree.close()
        opened = self._opened(name)
        if opened is None:
            raise OSError("a catalogue just built is not what was built")
        return opened

    def _built_in(self, connection: sqlite3.Connection, end: Position | None = None) -> Catalogue:
        self._prepare(connection)
        built = Catalogue.new(
            connection,
            stream=self._head.stream,
            generation=self._namespace.generation,
            chain=logs.genesis(self._head.stream),
        )
        connection.execute("BEGIN")
        self._take_in(built, end=end)
        connection.execute("COMMIT")
        return built

    def _connect(self, path: str, *, waiting: bool = False) -> sqlite3.Connection:
        from neosian_cli.store.semantic.database import sqlite3

        if not waiting and not os.access(path, os.W_OK):
            connection = immutable.connect(path)
        else:
            connection = sqlite3.connect(path, timeout=BUSY, isolation_level=None)
        mode = "OFF" if waiting else "WAL"
        connection.execute(f"PRAGMA journal_mode = {mode}")
        connection.execute(f"PRAGMA synchronous = {'OFF' if waiting else 'NORMAL'}")
        self._prepare(connection)
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> None:
        from neosian_cli.store.semantic.database import sqlite3

        connection.row_factory = sqlite3.Row
        selection.register(connection)


def discard_broken(root: str, tree: Tree, namespace: str) -> None:
    """Have the catalogue built anew when it is next opened; where nothing can be written, nothing changes. Any lock."""
    own = Tree.open(root, tree.calls)
    try:
        derived.discard(own, places.derived(namespace), [POINTER])
    except (OSError, Unsafe):
        return
    finally:
        own.close()


def discard(tree: Tree, namespace: str) -> None:
    """Remove every derived file that holds what records said, so that nothing of it is left. Exclusive lock."""
    directory = places.derived(namespace)
    names = [name for name, is_directory in tree.entries(directory) if not is_directory and not _is_cache(name)]
    derived.discard_for_good(tree, directory, names)


def _is_cache(name: str) -> bool:
    return name.startswith("cache")


def _is_name(name: object) -> bool:
    return isinstance(name, str) and name.startswith(PREFIX) and name.endswith(SUFFIX) and "/" not in name


def _is_of_other(name: str, current: str) -> bool:
    """Whether a file is a catalogue, or a side file of one, that no longer counts."""
    return name.startswith(PREFIX) and not name.startswith(current)
