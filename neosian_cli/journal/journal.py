"""Committing a plan, and finishing one that was interrupted.

Failure model. The exclusive root lock is held throughout. A plan becomes real with the sync of the name
`.transactions/pending.json`: stopped before that, nothing has happened; stopped after it, the next holder of the lock
carries the plan out before anything else. The plan's own content is synced before it gets its name, so a torn plan is
never seen under it. Signals wait from the naming to the removal: a Ctrl-C there would only turn a finished mutation
into a recovery. When a sync of that name fails nobody can know which of the two will be found: `uncertain`.
"""

from __future__ import annotations

from contextlib import contextmanager

from neosian_cli.disk.tree import Unsafe
from neosian_cli.journal import plan as plans
from neosian_cli.journal.apply import DIRECTORY, apply, examine, place, preflight, preflight_rights, tail_digest
from neosian_cli.journal.pending import PENDING, plan_is_pending
from neosian_cli.journal.plan import Append, Plan, PlanRefused, Put, Staged, Step
from neosian_cli.model.digest import sha256_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from neosian_cli.disk.tree import File, Tree

STAGE_ABOVE = 1 << 20
"""Contents above this many bytes go to a staged file of their own rather than into the plan."""
INLINE_BUDGET = 16 << 20
"""Once this many bytes stand inline, contents above 4 KiB are staged too."""


HASHED = 1 << 30
"""The digest of a larger file in the plan's place is not worth the wait."""


class TooLarge(Exception):
    """A plan that would be larger than recovery accepts; nothing has happened."""


class Journal:
    """The plans of one tree. `commits` counts the transactions that were made; `uncertain` says that one may be."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.commits = 0
        self.uncertain = False

    def commit(self, plan: Plan) -> None:
        """Make all steps of the plan happen, or none.

        Raises `TooLarge`, `Unsafe` or OSError before the commit point with nothing changed. After it an OSError leaves
        `commits` raised: the plan stands and the next holder of the lock finishes it.
        """
        tree = self.tree
        preflight(tree, plan.steps)
        tree.make_directories(DIRECTORY)
        if tree.status(plans.MARKER) is None:
            # A root in the making: the directory may come from a process that was killed before it could sync its name.
            tree.owe_way(PENDING)
        tree.sync_together([], apart_from=DIRECTORY)
        preflight_rights(tree, plan.steps)
        steps = self._stage(plan)
        plan = Plan(plan.id, plan.created_at, plan.verb, steps)
        data = plans.encode(plan)
        if len(data) > plans.MAX_BYTES:
            raise TooLarge(f"the transaction's plan would have {len(data):,} bytes")
        if plan.staged:
            tree.sync_directory(DIRECTORY)
        self._write_plan(data)
        with signals_held():
            try:
                self.tree.move(place("~plan"), PENDING)
                self.tree.sync_directory(DIRECTORY)
            except OSError:
                self.uncertain = plan_is_pending(tree)
                raise
            self.commits += 1
            apply(tree, plan.steps, again=False)
            self._finish(plan)

    def recover(self) -> bool:
        """Finish a pending plan and sweep what no plan names; whether there was a plan.

        Raises `PlanRefused` with nothing touched where the plan is not safe to carry out.
        """
        plan = self.pending()
        self._sweep(plan.staged if plan else frozenset())
        if plan is None:
            return False
        with signals_held():
            # Its name may be visible and yet not durable: published anew it is, before any target changes.
            self._write_plan(plans.encode(plan))
            self.tree.move(place("~plan"), PENDING)
            self.tree.sync_directory(DIRECTORY)
            apply(self.tree, plan.steps, again=True)
            self._finish(plan)
        return True

    def pending(self) -> Plan | None:
        """The pending plan, checked with all that it needs but not acted on; raises `PlanRefused`."""
        try:
            file = self.tree.open_file(PENDING)
        except Unsafe as unsafe:
            whose = "" if unsafe.path == PENDING else f"cannot be looked at: {unsafe.path} "
            raise PlanRefused(f"{whose}{unsafe.reason}") from None
        except PermissionError:
            raise PlanRefused("cannot be read: permission denied") from None
        if file is None:
            return None
        with file:
            if file.size > plans.MAX_BYTES:
                digest = sha256_of(file.chunks()) if file.size <= HASHED else None
                raise PlanRefused("is larger than a plan can be", digest)
            data = file.read()
        digest = plans.sha256(data)
        if file.mode != 0o600:
            raise PlanRefused(f"has the mode {file.mode:04o}", digest)
        if file.links != 1:
            raise PlanRefused("has a second name", digest)
        try:
            plan = plans.decode(data)
            preflight(self.tree, plan.steps)
            examine(self.tree, plan.steps)
        except PlanRefused as refusal:
            raise PlanRefused(refusal.reason, digest) from None
        except Unsafe as unsafe:
            raise PlanRefused(f"names a path that goes astray: {unsafe}", digest) from None
        return plan

    def _stage(self, plan: Plan) -> tuple[Step, ...]:
        steps: list[Step] = []
        inline = 0
        for number, step in enumerate(plan.steps):
            content = step.content if isinstance(step, (Put, Append)) else b""
            if isinstance(content, Staged):
                steps.append(step)
                continue
            if len(content) <= STAGE_ABOVE and (inline <= INLINE_BUDGET or len(content) <= plans.TAIL):
                inline += len(content)
                steps.append(step)
                continue
            staged = self.stage(f"~{number}-{plan.id}", [content])
            if isinstance(step, Append):
                steps.append(Append(step.path, step.offset, step.before, staged))
            else:
                steps.append(plans.Adopt(step.path, staged))
        return tuple(steps)

    def stage(self, name: str, pieces: Iterable[bytes]) -> Staged:
        """Write and sync a staged file; its name becomes durable with the plan."""
        size = 0

        def written(file: File) -> Iterator[bytes]:
            nonlocal size
            for piece in pieces:
                size = self.tree.write(file, [piece], size)
                yield piece

        self.tree.make_directories(DIRECTORY)
        with self.tree.create(place(name)) as file:
            digest = sha256_of(written(file))
            self.tree.sync(file)
        return Staged(name, size, digest)

    def _write_plan(self, data: bytes) -> None:
        with self.tree.create(place("~plan")) as file:
            self.tree.write(file, [data])
            self.tree.sync(file)

    def _finish(self, plan: Plan) -> None:
        self.tree.remove(PENDING)
        for name in sorted(plan.staged):
            self.tree.remove(place(name))
        self.tree.sync_directory(DIRECTORY)

    def _sweep(self, needed: frozenset[str]) -> None:
        for name, is_directory in self.tree.entries(DIRECTORY):
            if name.startswith("~") and not is_directory and name not in needed:
                self.tree.remove(place(name))


def append_step(tree: Tree, path: str, content: bytes | Staged) -> Append:
    """An append to the file as it stands now, under the lock; raises `Unsafe`."""
    file = tree.open_file(path)
    if file is None:
        return Append(path, 0, plans.sha256(b""), content)
    with file:
        return Append(path, file.size, tail_digest(file, file.size), content)


@contextmanager
def signals_held() -> Iterator[None]:
    """Keep Ctrl-C, SIGTERM and SIGHUP waiting; they arrive when the block ends.

    A mask of this thread would not do: a signal to the process goes to any thread that takes it (a numerical library
    starts some), and its handler then runs in the main thread all the same. Outside the main thread none arrives.
    """
    from neosian_cli.model.handlers import signals

    came: list[int] = []
    held: dict[int, Any] = {}
    try:
        for waiting in (signals.SIGINT, signals.SIGTERM, signals.SIGHUP):
            handler = signals.getsignal(waiting)
            if handler in (signals.SIG_IGN, None):
                continue
            held[waiting] = handler
            try:
                signals.signal(waiting, lambda number, _: came.append(number))
            except ValueError:  # not the main thread
                held.clear()
                break
        yield
    finally:
        for number, handler in held.items():
            signals.signal(number, handler)
        for one in dict.fromkeys(came):
            signals.raise_signal(one)
