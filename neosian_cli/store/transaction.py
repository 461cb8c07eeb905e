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
        self._added: dict[str, list[bytes]] = {}
        self._is_new = is_new

    def put(self, path: str, content: bytes) -> None:
        """The file gets this content, whole and new."""
        self._decide(Put(path, content))

    def append(self, path: str, content: bytes) -> None:
        """The file gets this content at its end; several appends to one file become one. Raises `Unsafe`."""
        earlier = self._steps.get(path)
        if earlier is None:
            self._steps[path] = append_step(self.tree, path, content)
        elif isinstance(earlier, Remove):
            self._steps[path] = Put(path, content)
        else:
            self._added.setdefault(path, []).append(content)  # joined once: thousands of rows would be copied each time

    def append_staged(self, path: str, pieces: Iterable[bytes]) -> None:
        """As `append`, for content that need not be in memory at once; once a path."""
        staged = self._stage(pieces)
        self._decide(append_step(self.tree, path, staged))

    def put_staged(self, path: str, pieces: Iterable[bytes]) -> None:
        """As `put`, for content that need not be in memory at once."""
        from neosian_cli.journal.plan import Adopt

        self._decide(Adopt(path, self._stage(pieces)))

    def remove(self, path: str) -> None:
        """The file goes, if it is there."""
        self._decide(Remove(path))

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
        steps = tuple(_joined(step, self._added.get(path)) for path, step in self._steps.items())
        self._journal.commit(Plan(self.new_id(), times.spell(self.now), self.verb, steps))
        self._steps = {}
        self._added = {}
        self._is_new = False

    def _decide(self, step: Step) -> None:
        """What happens to the file, in place of all that was said of it before."""
        self._steps[step.path] = step
        self._added.pop(step.path, None)

    def _stage(self, pieces: Iterable[bytes]) -> Staged:
        return self._journal.stage(f"~{self.new_id()}", pieces)


def _joined(step: Step, added: list[bytes] | None) -> Step:
    """The step with what was appended to its content."""
    if not added:
        return step
    if isinstance(step, Put):
        return Put(step.path, b"".join((step.content, *added)))
    if isinstance(step, Append) and isinstance(step.content, bytes):
        return Append(step.path, step.offset, step.before, b"".join((step.content, *added)))
    raise TypeError(f"nothing can be appended to what is staged for {step.path}")
