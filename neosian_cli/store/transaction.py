"""One mutation in the making: what should be on disk, collected under the exclusive lock and committed as one plan."""

from __future__ import annotations

from neosian_cli.journal.journal import Journal, append_step
from neosian_cli.journal.plan import Append, Plan, Put, Remove, Staged
from neosian_cli.store import marker

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from neosian_cli.disk.tree import Tree
    from neosian_cli.journal.plan import Step
    from neosian_cli.model.times import Instant


class Transaction:
    """`tree` is the state before; `now` the one instant that everything in the transaction bears."""

    def __init__(self, journal: Journal, verb: str, now: Instant, new_id: Callable[[], str], *, is_new: bool) -> None:
        self.tree: Tree = journal.tree
        self.verb = verb
        self.now = now
        self.new_id = new_id
        self._journal = journal
        self._steps: dict[str, Step] = {}
        self._is_new = is_new

    def put(self, path: str, content: bytes) -> None:
        """The file gets this content, whole and new."""
        self._steps[path] = Put(path, content)

    def append(self, path: str, content: bytes) -> None:
        """The file gets this content at its end; several appends to one file become one. Raises `Unsafe`."""
        earlier = self._steps.get(path)
        if isinstance(earlier, Append) and isinstance(earlier.content, bytes):
            self._steps[path] = Append(path, earlier.offset, earlier.before, earlier.content + content)
        elif isinstance(earlier, Put):
            self._steps[path] = Put(path, earlier.content + content)
        else:
            self._steps[path] = append_step(self.tree, path, content)

    def append_staged(self, path: str, pieces: Iterable[bytes]) -> None:
        """As `append`, for content that need not be in memory at once; once a path."""
        staged = self._stage(pieces)
        self._steps[path] = append_step(self.tree, path, staged)

    def put_staged(self, path: str, pieces: Iterable[bytes]) -> None:
        """As `put`, for content that need not be in memory at once."""
        from neosian_cli.journal.plan import Adopt

        self._steps[path] = Adopt(path, self._stage(pieces))

    def remove(self, path: str) -> None:
        """The file goes, if it is there."""
        self._steps[path] = Remove(path)

    def commit(self) -> None:
        """Make all of it happen or nothing; without steps nothing is written.

        Raises what `Journal.commit` raises.
        """
        if not self._steps:
            return
        from neosian_cli.model import times

        if self._is_new:
            # Last in the plan, so that whoever looks without the lock sees a store only once it is whole.
            self._steps[marker.NAME] = Put(marker.NAME, marker.encode(self.new_id(), times.spell(self.now)))
        steps = tuple(self._steps.values())
        self._journal.commit(Plan(self.new_id(), times.spell(self.now), self.verb, steps))
        self._steps = {}
        self._is_new = False

    def _stage(self, pieces: Iterable[bytes]) -> Staged:
        return self._journal.stage(f"~{self.new_id()}", pieces)
