"""The memory verbs on a real root, under the names that the model has."""

from __future__ import annotations

import itertools
import os
import uuid
from typing import TYPE_CHECKING, Any

from neosian_cli.disk.calls import REAL, Calls
from neosian_cli.model import codec
from neosian_cli.services import memory_edits, memory_erasure, memory_history, memory_reading
from neosian_cli.store import feed, log
from neosian_cli.store.root import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from neosian_cli.model.mount import Mount

REFERENCES = ("kind", "path", "version", "previous_path", "previous_version", "reason")


class Files:
    """One root, opened anew for every verb."""

    def __init__(self, root: str, now: Callable[[], int]) -> None:
        self.root = root
        self.now = now
        self.calls: Calls = REAL

    @property
    def store(self) -> Store:
        return Store(self.root, now=self.now, new_id=lambda: str(uuid.uuid4()), lock_timeout=5, calls=self.calls)

    def write(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_edits.write(self.store, *place, **options)

    def replace(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_edits.replace(self.store, *place, **options)

    def insert(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_edits.insert(self.store, *place, **options)

    def delete(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_edits.delete(self.store, *place, **options)

    def rename(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_edits.rename(self.store, *place, **options)

    def revert(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_history.revert(self.store, *place, **options)

    def erase(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_erasure.erase(self.store, *place, **options)

    def view(self, *place: Any, **options: Any) -> dict[str, object]:
        return memory_reading.view(self.store, *place, **options)

    def everything(self, mount: Mount, *, limit: int = 2, **options: Any) -> list[Any]:
        """Every entry of the list, page by page; nothing must be unreadable."""
        found: list[Any] = []
        for page in self.pages(mount, limit=limit, **options):
            assert page["unreadable"] == []
            found.extend(page["entries"])
        return found

    def pages(self, mount: Mount, *, limit: int, **options: Any) -> Iterator[dict[str, Any]]:
        cursor = None
        while True:
            page: dict[str, Any] = memory_reading.list_documents(
                self.store, mount, cursor=cursor, limit=limit, **options
            )
            yield page
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def history(self, mount: Mount, path: str, *, limit: int = 3) -> list[Any]:
        found: list[Any] = []
        cursor = None
        for _ in itertools.count():
            page: dict[str, Any] = memory_history.versions(
                self.store, mount, path, bodies=True, cursor=cursor, limit=limit
            )
            found.extend(page["versions"])
            cursor = page["next_cursor"]
            if cursor is None:
                break
        return found

    def feed(self, mount: Mount) -> list[dict[str, Any]]:
        """The retained events without what differs from run to run."""
        with self.store.reading() as tree:
            head = feed.read_head(tree, mount.scope)
            if head is None:
                return []
            reader = log.Reader(tree, feed.log_of(mount.scope), head)
            entries = reader.after(head.floor, 1 << 40, head.floor_chain)
        events = [codec.loads(entry.data) for entry in entries]
        return [{key: event[key] for key in REFERENCES if key in event} for event in events]

    def holds(self, text: str) -> list[str]:
        """The files below the root in whose bytes the text stands, as it is or as JSON spells it."""
        spelled = {text.encode(), codec.dumps(text)[1:-1]}
        found = []
        for directory, _, names in os.walk(self.root):
            for name in names:
                path = os.path.join(directory, name)
                with open(path, "rb") as file:
                    data = file.read()
                if any(piece in data or piece in path.encode() for piece in spelled):
                    found.append(path)
        return found
