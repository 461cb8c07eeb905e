"""A scope as it stood at one moment, read in short holds of the lock while writers go on.

In a first hold the paths are listed with the sizes of their histories. Histories only grow, so what they held then is
read at any later time: the document is what the newest of those versions says. An erasure is the one thing that writes
histories anew; it leaves a row in the scope's trail, and whoever sees one more row than at first has to begin again,
so that no text outlives its erasure in a copy.
"""

from __future__ import annotations

from contextlib import ExitStack, nullcontext

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.store import documents, layout
from neosian_cli.store.damage import damaged
from neosian_cli.store.erasure import row_of
from neosian_cli.store.history import History
from neosian_cli.store.listing import Window, problem_of, walk
from neosian_cli.store.seal import NewerFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.document import Version

AT_ONCE = 64
"""How many histories are opened in one hold."""


class Moved(Exception):
    """Something was erased meanwhile: the snapshot must not be used, and what was made of it has to go."""


class Snapshot:
    """One scope at one moment; `hold` gives its tree under a lock, again and again.

    Where `lenient`, what is damaged is left out and named in `unreadable`; else it is raised as a Failure.
    """

    def __init__(self, hold: Callable[[], AbstractContextManager[Tree]], scope: str, *, lenient: bool = False) -> None:
        self.scope = scope
        self.unreadable: list[dict[str, object]] = []
        self._hold = hold
        self._lenient = lenient
        self._trail = layout.erasures_file(scope)
        with hold() as tree:
            self._trail_size = _size(tree, self._trail)
            self._sizes = self._measure(tree)
            self.erasures = self._read_trail(tree)

    @property
    def paths(self) -> int:
        """How many paths there are."""
        return len(self._sizes)

    def histories(self) -> Iterator[tuple[str, Iterator[Version]]]:
        """Every path in byte order with its versions, oldest first, to be used up before the next one is asked for.

        Raises `Moved`, and Failure for what is damaged.
        """
        listed = list(self._sizes.items())
        for start in range(0, len(listed), AT_ONCE):
            with ExitStack() as files:
                with self._hold() as tree:
                    self._require_unmoved(tree)
                    opened = [self._open(tree, path, size, files) for path, size in listed[start : start + AT_ONCE]]
                for path, history in filter(None, opened):
                    if not self._lenient or self._is_whole(path, history):
                        yield path, history.oldest_first()
        with self._hold() as tree:
            self._require_unmoved(tree)

    def _require_unmoved(self, tree: Tree) -> None:
        if _size(tree, self._trail) != self._trail_size:
            raise Moved

    def _measure(self, tree: Tree) -> dict[str, int]:
        top = layout.scope_directory(self.scope)
        sizes: dict[str, int] = {}
        for below, suffix in (
            (layout.VERSIONS, layout.VERSIONS_SUFFIX),
            (layout.DOCUMENTS, layout.DOCUMENT_SUFFIX),
        ):
            try:
                for found in walk(tree, f"{top}/{below}", suffix, Window()):
                    if found.problem is not None:
                        self._object(found.key, found.file, found.problem)
                    elif found.key not in sizes:
                        sizes[found.key] = _size(tree, found.file) if below == layout.VERSIONS else 0
            except Unsafe as unsafe:
                self._object("", unsafe.path, unsafe)
        return dict(sorted(sizes.items()))

    def _read_trail(self, tree: Tree) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        try:
            lines = (tree.read(self._trail) or b"").splitlines(keepends=True)
        except Unsafe as unsafe:
            self._object("", self._trail, unsafe)
            return rows
        for line in lines:
            try:
                rows.append(row_of(line))
            except NewerFormat as newer:
                self._object("", self._trail, damaged(self._trail, str(newer), code="format_unsupported"))
            except ValueError as error:
                self._object("", self._trail, damaged(self._trail, f"is damaged: a row {error}"))
        return rows

    def _open(self, tree: Tree, path: str, size: int, files: ExitStack) -> tuple[str, History] | None:
        file = layout.document_file(self.scope, path)
        try:
            documents.read(tree, self.scope, path)
        except (Failure, Unsafe, OSError) as error:
            self._object(path, file, error)
        try:
            history = History.open(tree, self.scope, path)
        except (Unsafe, OSError) as error:
            self._object(path, layout.versions_file(self.scope, path), error)
            return None
        if history is None:
            return None  # a document alone, which was objected to
        files.enter_context(history)
        history.cut(size)
        return path, history

    def _is_whole(self, path: str, history: History) -> bool:
        """Whether every version can be read; named where one cannot."""
        count = 0
        try:
            for _ in history.oldest_first():
                count += 1
        except Failure as failure:
            self._object(path, history.file_path, failure)
            return False
        return count > 0

    def _object(self, path: str, file: str, error: Exception) -> None:
        problem = problem_of(error, file)
        if not self._lenient:
            raise problem
        named: dict[str, object] = {"scope": self.scope, "path": path, "code": problem.code, "message": problem.message}
        if named not in self.unreadable:
            self.unreadable.append(named)


def _size(tree: Tree, path: str) -> int:
    status = tree.status(path)
    return 0 if status is None else status.st_size


def still(tree: Tree) -> Callable[[], AbstractContextManager[Tree]]:
    """A `hold` for one who holds the lock all the time."""
    return lambda: nullcontext(tree)
