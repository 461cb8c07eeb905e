"""Where a consumer starts again after a gap: the cursor first, then every live document.

The head's cursor is taken before any document is read, so each state that is shown is at least as new as the cursor.
What changes meanwhile comes again as an event, and is told apart by its version.
"""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.services.changes.position import UNTRACKED, checked_head
from neosian_cli.store import feed, listing
from neosian_cli.store.damage import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.listing import Found
    from neosian_cli.store.log import Head
    from neosian_cli.store.root import Store

FORMAT = 1
BATCH = 200
"""How many documents are read in one hold of the lock."""


class Snapshot:
    """An iteration over documents as `{"path", "mounted_path", "version"}`; after it `page` is complete.

    What cannot be read is passed over and stands in the page. Making one raises `feed_corrupt`.
    """

    def __init__(self, store: Store, mount: Mount) -> None:
        self._store = store
        self._mount = mount
        self._unreadable: list[dict[str, str]] = []
        with store.reading() as tree:
            self._head: Head | None = checked_head(tree, mount.scope)
            self._found = self._names(tree)

    @property
    def total(self) -> int:
        """How many paths there were when it was made, deleted ones among them."""
        return len(self._found)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for start in range(0, len(self._found), BATCH):
            with self._store.reading() as tree:
                found = [self._read(tree, each) for each in self._found[start : start + BATCH]]
            for document in found:
                if document is not None:
                    yield document

    def page(self) -> dict[str, Any]:
        """What a consumer goes on with; cursor and stream are null, and there is a gap, where nothing is tracked."""
        scope, head = self._mount.scope, self._head
        return {
            "format": FORMAT,
            "path": self._mount.root,
            "scope": scope,
            "stream": head and head.stream,
            "cursor": head and feed.head_cursor(scope, head),
            "gap": None if head else UNTRACKED,
            "unreadable": self._unreadable,
        }

    def _names(self, tree: Tree) -> list[Found]:
        try:
            return list(listing.candidates(tree, self._mount.scope, "", listing.Window()))
        except Unsafe as unsafe:
            self._pass_over(unsafe.path, damaged(unsafe.path, unsafe.reason))
            return []

    def _read(self, tree: Tree, found: Found) -> dict[str, Any] | None:
        """None where it was deleted, is gone by now, or is unreadable."""
        try:
            document = listing.read(tree, self._mount.scope, found)
        except (Failure, Unsafe, OSError) as error:
            self._pass_over(found.key, listing.problem_of(error, found.file))
            return None
        if document is None:
            return None
        return {"path": document.path, "mounted_path": self._mount.mounted(document.path), "version": document.version}

    def _pass_over(self, path: str, failure: Failure) -> None:
        self._unreadable.append({"path": path, "code": failure.code, "message": failure.message})
