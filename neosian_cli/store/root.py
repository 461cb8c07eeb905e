"""Opening a root: under which lock, after which recovery, and what each way of failing is called.

Who reads holds the shared lock and sees the files between mutations, never within one. A pending plan is finished
before anything is answered, by a reader too. Who reads makes nothing: no root, no lock file, no directory.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, nullcontext

from neosian_cli.disk.calls import REAL
from neosian_cli.disk.lock import ExclusiveLock, Held, SharedLock, holder
from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.journal.pending import PENDING, plan_is_pending
from neosian_cli.model.value import value
from neosian_cli.store import marker
from neosian_cli.store.damage import damaged

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from typing import Any

    from neosian_cli.disk.calls import Calls
    from neosian_cli.journal.journal import Journal
    from neosian_cli.journal.plan import Plan, PlanRefused
    from neosian_cli.model.times import Instant
    from neosian_cli.store.making import Making
    from neosian_cli.store.transaction import Transaction

ROOM_HINT = "make room on that file system, then run the same command again"
RETRY_HINT = "look at the state before trying again: a blind retry would do it twice"


@value
class Look:
    """What an inspection finds. `locked`: no mutation is under way. At most one of plan and refusal is there."""

    tree: Tree
    locked: bool
    plan: Plan | None
    refusal: PlanRefused | None


class Store:
    """One root. `commits` counts the transactions made through this object, `uncertain` says that one more may be.

    `notes` are hints for a person that reading has brought up. `busy` gives a context for work that may take long and
    that nobody has asked for, as finishing a large plan of somebody else; it is told what that is.
    """

    def __init__(
        self,
        root: str,
        *,
        now: Callable[[], Instant],
        new_id: Callable[[], str],
        lock_timeout: float = 10.0,
        calls: Calls = REAL,
    ) -> None:
        self.root = root
        self.now = now
        self.new_id = new_id
        self.lock_timeout = lock_timeout
        self.calls = calls
        self.commits = 0
        self.uncertain = False
        self._lock = ExclusiveLock(root)
        self.notes: list[str] = []
        self.busy: Callable[[str], AbstractContextManager[object]] = nullcontext

    @property
    def exists(self) -> bool:
        """Whether there is a directory at the root, whatever it holds."""
        return os.path.isdir(self.root)

    @contextmanager
    def reading(self) -> Iterator[Tree]:
        """The files as they stand, under the shared lock; an empty tree where there is no store.

        Raises `locked`, `plan_refused`, `recovery_needed`, `not_a_store`, `format_unsupported` or `io_error`.
        """
        with self._translated():
            lock = SharedLock(self.root)
            tree = self._open_between_plans(lock)
            try:
                yield tree
            finally:
                tree.close()
                lock.release()

    @contextmanager
    def writing(self, verb: str) -> Iterator[Transaction]:
        """A transaction under the exclusive lock, in a root that is made where it is missing.

        Nothing is written until its `commit`. Raises what `reading` raises, `read_only` and `permission_denied`.
        """
        from neosian_cli.disk.root import make_root
        from neosian_cli.store.transaction import Transaction

        with self._translated():
            if not self._has_marker():
                make_root(self.root, self.calls)
            with self._exclusively() as journal:
                is_new = not marker.check(journal.tree)
                if is_new and marker.is_foreign(journal.tree):
                    raise self._foreign()
                yield Transaction(journal, verb, self.now(), self.new_id, is_new=is_new)

    @contextmanager
    def making(self, verb: str) -> Iterator[Making]:
        """A root that is no store until its last transaction, in a directory that is made where it is missing.

        Raises `target_occupied` where something is there already, and what `writing` raises.
        """
        from neosian_cli.disk.root import make_root
        from neosian_cli.store.making import Making, refuse_occupied

        with self._translated():
            refuse_occupied(self.root)
            make_root(self.root, self.calls)
            with self._exclusively() as journal:
                refuse_occupied(self.root)
                making = Making(journal, verb, self.now, self.new_id)
                try:
                    yield making
                finally:
                    making.end()

    @contextmanager
    def looking(self, lock_timeout: float | None = None) -> Iterator[Look]:
        """The files as they stand for those who inspect: nothing is recovered, and a held lock keeps nobody out.

        Raises `not_a_store`, `format_unsupported` or `io_error`.
        """
        timeout = self.lock_timeout if lock_timeout is None else lock_timeout
        with self._translated():
            lock = SharedLock(self.root)
            tree = Tree.open(self.root, self.calls)
            try:
                locked = True
                if tree.exists:
                    try:
                        lock.acquire(timeout)
                    except Held:
                        locked = False
                plan, refusal = _look_at_plan(tree)
                yield Look(self._known(tree), locked, plan, refusal)
            finally:
                tree.close()
                lock.release()

    @contextmanager
    def held(self) -> Iterator[None]:
        """The exclusive lock on a store between mutations, for as long as the block lasts."""
        with self._translated():
            if not os.path.isdir(self.root):
                raise Failure("not_found", f"there is no store at {self.root}", hint="the first write makes it")
            self._has_marker()
            with self._exclusively():
                yield

    def _open_between_plans(self, lock: SharedLock) -> Tree:
        lockless = False
        while True:
            tree = Tree.open(self.root, self.calls)
            if not tree.exists:
                return tree
            try:
                locked = lock.acquire(self.lock_timeout)
                if not plan_is_pending(tree):
                    if locked or lockless:
                        return self._known(tree)
                    if tree.status(marker.NAME) is None:
                        # Not a store yet: a first writer may be on its way, and has finished nothing.
                        return self._absent(tree)
                tree.close()
                lock.release()
            except BaseException:
                tree.close()
                lock.release()
                raise
            try:
                with self._exclusively():  # a plan is finished, or a lost lock file made
                    pass
            except OSError as error:
                if locked or lockless or error.errno not in (errno.EROFS, errno.EACCES, errno.EPERM):
                    raise
                lockless = True  # where we can make no lock file there is no writer of ours either

    def _known(self, tree: Tree) -> Tree:
        """The tree itself where it is a store; an empty one in its place where it is none."""
        return tree if marker.check(tree) else self._absent(tree)

    def _absent(self, tree: Tree) -> Tree:
        if tree.exists and marker.is_foreign(tree):
            self.notes.append(f"{self.root} holds no store: it has no {marker.NAME}")
        tree.close()
        return Tree(None, self.calls)

    @contextmanager
    def _exclusively(self) -> Iterator[Journal]:
        """The journal of this root, any pending plan finished."""
        from neosian_cli.journal.journal import Journal

        lock = self._lock
        lock.acquire(self.lock_timeout)
        try:
            tree = Tree.open(self.root, self.calls)
            journal = Journal(tree)
            try:
                if plan_is_pending(tree):
                    with self.busy("finishing an interrupted change"):
                        journal.recover()
                else:
                    journal.recover()
                yield journal
            finally:
                self.commits += journal.commits
                self.uncertain = self.uncertain or journal.uncertain
                tree.close()
        finally:
            lock.release()

    def _has_marker(self) -> bool:
        """Whether there is a store; refuses a directory that will be none, before a lock file is left there.

        Nothing is locked, so the order counts: a first writer leaves its plan until the marker is there.
        """
        if os.path.lexists(os.path.join(self.root, marker.NAME)):
            return True
        tree = Tree.open(self.root, self.calls)
        try:
            foreign = tree.exists and marker.is_foreign(tree)
            if foreign and not plan_is_pending(tree) and tree.status(marker.NAME) is None:
                raise self._foreign()
        finally:
            tree.close()
        return False

    def _foreign(self) -> Failure:
        return Failure(
            "not_a_store",
            f"{self.root} is not empty and holds no {marker.NAME}, so it is no store",
            hint="choose an empty or a new directory with --root",
            root=self.root,
        )

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """What disk and journal raise, as the failures that users know."""
        commits, self.uncertain = self.commits, False
        try:
            yield
        except Held as held:
            raise self._locked(held.waited) from None
        except Unsafe as unsafe:
            if self.commits > commits:
                raise self._half_made(str(unsafe), made=True) from None
            raise damaged(unsafe.path, unsafe.reason) from None
        except OSError as error:
            raise self._system_failure(error, made=self.commits > commits) from error
        except Exception as error:
            if isinstance(error, Failure):
                raise
            told = self._of_the_journal(error)
            if told is None:
                raise
            raise told from None

    def _of_the_journal(self, error: Exception) -> Failure | None:
        from neosian_cli.journal.journal import TooLarge
        from neosian_cli.journal.plan import PlanRefused

        if isinstance(error, PlanRefused):
            return self._refused(error)
        if isinstance(error, TooLarge):
            return Failure("unsupported", f"{error}, more than recovery takes")
        return None

    def _locked(self, waited: float) -> Failure:
        by = holder(self.root) or {}
        who = f"process {by['pid']}" if by.get("pid") else "another process"
        doing = f" (neosian {by['verb']})" if by.get("verb") else ""
        return Failure(
            "locked",
            f"{who}{doing} holds the store; waited {waited:g} s",
            hint="try again, or wait longer with --lock-timeout SECONDS",
            pid=by.get("pid"),
            verb=by.get("verb"),
            waited=waited,
        )

    def _refused(self, refusal: PlanRefused) -> Failure:
        digest = f" (SHA-256 {refusal.digest})" if refusal.digest else ""
        return Failure(
            "plan_refused",
            f"the pending plan {PENDING} {refusal.reason}{digest}",
            hint="nothing was touched; neosian verify says more. Do not delete the file: it may hold the only copy",
            file=os.path.join(self.root, PENDING),
            sha256=refusal.digest,
            reason=refusal.reason,
        )

    def _system_failure(self, error: OSError, *, made: bool) -> Failure:
        reason = os.strerror(error.errno) if error.errno else str(error)
        named = os.path.join(self.root, str(error.filename)) if error.filename else None
        where = f" ({named})" if named else ""
        details: dict[str, Any] = {
            "errno": error.errno,
            "path": None if error.filename is None else str(error.filename),
        }
        if made or self.uncertain:
            return self._half_made(f"{reason}{where}", made=made, **details)
        pending = self._is_pending()
        if error.errno == errno.EROFS:
            if pending:
                return Failure(
                    "recovery_needed",
                    "a pending plan has to be finished, and the file system is read-only",
                    hint="mount it writable and run any neosian command on it",
                    committed=False,
                    **details,
                )
            return Failure(
                "read_only",
                f"the file system of {self.root} is read-only",
                hint="mount it writable, or choose another store with --root",
                committed=False,
                **details,
            )
        if error.errno in (errno.EACCES, errno.EPERM):
            return Failure(
                "permission_denied", f"permission denied{where or f' ({self.root})'}", committed=False, **details
            )
        if error.errno in (errno.ENOTDIR, errno.ELOOP) and not made:
            return Failure(
                "not_a_store", f"{self.root} cannot be opened as a store: {reason}", committed=False, **details
            )
        doing = "finishing an interrupted change: " if pending else ""
        full = error.errno in (errno.ENOSPC, errno.EDQUOT)
        return Failure(
            "io_error",
            f"{doing}{reason}{where}; nothing was changed",
            hint=ROOM_HINT if full else None,
            committed=False,
            **details,
        )

    def _half_made(self, reason: str, *, made: bool, **details: Any) -> Failure:
        committed: bool | str = True if made else "unknown"
        state = "the change is made, but not everywhere" if made else "whether the change is made is not known"
        message = f"{reason}; {state}; the next command finishes it"
        return Failure("io_error", message, hint=RETRY_HINT, committed=committed, **details)

    def _is_pending(self) -> bool:
        try:
            tree = Tree.open(self.root, self.calls)
        except OSError:
            return False
        try:
            return plan_is_pending(tree)
        except OSError:
            return False
        finally:
            tree.close()


def _look_at_plan(tree: Tree) -> tuple[Plan | None, PlanRefused | None]:
    from neosian_cli.journal.journal import Journal
    from neosian_cli.journal.plan import PlanRefused

    try:
        return Journal(tree).pending(), None
    except PlanRefused as refusal:
        return None, refusal
