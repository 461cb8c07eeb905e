"""A random life of two scopes on disk, compared with the model after every step: crashes and backups included."""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from neosian_cli.disk.calls import REAL, Calls
from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from neosian_cli.model.cursor import Cursor
from neosian_cli.services import verify
from neosian_cli.services.changes import pruning
from neosian_cli.store import feed, log
from tests.contract.documents_model import Model
from tests.contract.files import Files

INNER = mounts.make("project", "user:me/proj:erp")
OUTER = mounts.make("user", "user:me")
EDITS = mounts.make("edits", "user:me/proj:erp", "eo")
MOUNTS = (INNER, OUTER)

PATHS = st.sampled_from(["a", "a/b", "a-b", "a.json", "a.json/b", "c/d/e"])
TEXTS = st.sampled_from(["", "x", "x\n", "xx\nx", "line one\nline two\n", "\0\r\n", "ü", '"\\'])
EXTRAS = st.one_of(
    st.none(), st.just({}), st.dictionaries(st.sampled_from(["k", "l"]), st.text(max_size=3), max_size=2)
)
IF_VERSIONS = st.one_of(st.none(), st.integers(0, 4))
WRITABLE = st.sampled_from([INNER, OUTER, EDITS])


class Crash(BaseException):
    """The machine went away: nothing in the program catches it."""


class Dying(Calls):
    """Calls that stop for good at the k-th change."""

    def __init__(self, left: int) -> None:
        self.left = left

    def _step(self) -> None:
        if self.left == 0:
            raise Crash
        self.left -= 1


def _dying(name: str) -> Any:
    real = getattr(Calls, name)

    def call(self: Dying, *arguments: Any) -> Any:
        self._step()
        return real(self, *arguments)

    return call


for _name in (
    "create", "open_existing", "write", "truncate", "sync_file", "sync_directory", "rename", "unlink", "make_directory",
):  # fmt: skip
    setattr(Dying, _name, _dying(_name))


def outcome(call: Any) -> tuple[str, Any]:
    """The result, or what distinguishes one failure from another."""
    try:
        return "result", call()
    except Failure as failure:
        told = {key: failure.details.get(key) for key in ("reason", "actual", "count", "lines")}
        return "failure", {"code": failure.code, **told}


class Documents(RuleBasedStateMachine):
    """Every rule does the same to both and compares what they say; the invariant compares what they hold."""

    @initialize()
    def begin(self) -> None:
        self.top = tempfile.mkdtemp(prefix="neosian-")
        self.clock = 1_700_000_000_000_000
        self.model = Model(self.now)
        self.files = Files(os.path.join(self.top, "root"), self.now)
        self.floors = {mount.scope: 0 for mount in MOUNTS}
        self.backup: Any = None
        self.crash_after: int | None = None

    def teardown(self) -> None:
        shutil.rmtree(self.top, ignore_errors=True)

    def now(self) -> int:
        return self.clock

    def both(self, verb: str, *place: Any, **options: Any) -> None:
        self.clock += 1_000_000
        if self.crash_after is not None:
            self._crashing(verb, *place, **options)
            return
        expected = outcome(lambda: getattr(self.model, verb)(*place, **options))
        assert outcome(lambda: getattr(self.files, verb)(*place, **options)) == expected

    def _crashing(self, verb: str, *place: Any, **options: Any) -> None:
        """The verb stops at some change to the disk: afterwards it has happened, or it has not."""
        before = self.model.copy()
        outcome(lambda: getattr(self.model, verb)(*place, **options))
        self.files.calls, self.crash_after = Dying(self.crash_after or 0), None
        try:
            outcome(lambda: getattr(self.files, verb)(*place, **options))
        except Crash:
            after = self.model.scopes
            self.files.calls = REAL
            if not self._agree():
                self.model.scopes = before
                assert self._agree(), "neither the state before nor the one after"
                self.model.scopes = before
            else:
                self.model.scopes = after
        finally:
            self.files.calls = REAL

    def _agree(self) -> bool:
        return all(self._held(self.files, mount) == self._held(self.model, mount) for mount in MOUNTS)

    def _held(self, state: Any, mount: Any) -> Any:
        paths = sorted(self.model.scope(mount).rows)
        events = state.feed(mount)
        histories = {path: outcome(lambda path=path: state.history(mount, path)) for path in paths}
        views = {path: outcome(lambda path=path: state.view(mount, path)) for path in paths}
        retained = events[self.floors[mount.scope] :] if state is self.model else events
        return state.everything(mount), histories, views, retained

    # The verbs

    @rule(mount=WRITABLE, path=PATHS, content=TEXTS, extra=EXTRAS, if_version=IF_VERSIONS)
    def write(self, mount: Any, path: str, content: str, extra: Any, if_version: int | None) -> None:
        self.both("write", mount, path, content, actor="cli:me", extra=extra, if_version=if_version)

    @rule(mount=WRITABLE, path=PATHS, content=TEXTS)
    def write_freely(self, mount: Any, path: str, content: str) -> None:
        self.both("write", mount, path, content, actor="bot:x#3")

    @rule(mount=WRITABLE, path=PATHS, old=TEXTS, new=TEXTS, if_version=IF_VERSIONS)
    def replace(self, mount: Any, path: str, old: str, new: str, if_version: int | None) -> None:
        self.both("replace", mount, path, old, new, actor="cli:me", if_version=if_version)

    @rule(mount=WRITABLE, path=PATHS, line=st.integers(0, 4), text=TEXTS, if_version=IF_VERSIONS)
    def insert(self, mount: Any, path: str, line: int, text: str, if_version: int | None) -> None:
        self.both("insert", mount, path, line, text, actor="cli:me", if_version=if_version)

    @rule(mount=WRITABLE, path=PATHS, if_version=IF_VERSIONS)
    def delete(self, mount: Any, path: str, if_version: int | None) -> None:
        self.both("delete", mount, path, actor="cli:me", if_version=if_version)

    @rule(mount=WRITABLE, path=PATHS, new_path=PATHS)
    def rename(self, mount: Any, path: str, new_path: str) -> None:
        self.both("rename", mount, path, mount, new_path, actor="cli:me")

    @rule(mount=WRITABLE, path=PATHS, back=st.integers(-1, 2))
    def revert(self, mount: Any, path: str, back: int) -> None:
        newest = self.model.newest(mount, path)
        self.both("revert", mount, path, max(1, (newest["version"] if newest else 1) - back), actor="cli:me")

    @rule(mount=WRITABLE, path=PATHS, apply=st.booleans())
    def erase(self, mount: Any, path: str, apply: bool) -> None:
        self.both("erase", mount, path, actor="cli:me", apply=apply)

    @rule(mount=WRITABLE)
    def erase_scope(self, mount: Any) -> None:
        self.both("erase", mount, None, actor="cli:me", apply=True, whole=True)

    # What befalls a store

    @rule(left=st.integers(0, 40))
    def crash_in_the_next_verb(self, left: int) -> None:
        self.crash_after = left

    @rule(mount=st.sampled_from(MOUNTS), keep=st.integers(0, 3))
    def prune(self, mount: Any, keep: int) -> None:
        with self.files.store.reading() as tree:
            head = feed.read_head(tree, mount.scope)
            if head is None:
                return
            through = max(head.floor, head.head - keep)
            chain = log.Reader(tree, feed.log_of(mount.scope), head).chain_at(through)
        cursor = Cursor(mount.scope, head.stream, through, chain).encode()
        pruning.prune(self.files.store, mount, cursor, write=True)
        self.floors[mount.scope] = through

    @rule()
    def make_backup(self) -> None:
        if os.path.isdir(self.files.root):
            shutil.rmtree(f"{self.top}/backup", ignore_errors=True)
            shutil.copytree(self.files.root, f"{self.top}/backup")
            self.backup = (self.model.copy(), dict(self.floors))

    @rule()
    def restore_backup(self) -> None:
        if self.backup is not None:
            shutil.rmtree(self.files.root)
            shutil.copytree(f"{self.top}/backup", self.files.root)
            scopes, floors = self.backup
            self.model.scopes, self.floors = scopes, floors
            self.backup = (self.model.copy(), dict(floors))

    @invariant()
    def both_hold_the_same(self) -> None:
        for mount in MOUNTS:
            assert self._held(self.files, mount) == self._held(self.model, mount)

    @invariant()
    def nothing_is_found_wrong(self) -> None:
        found = verify.verify(self.files.store, None)["findings"]
        assert [finding for finding in found if not finding["path"].startswith(".transactions/~")] == []

    @invariant()
    def erasures_are_recorded(self) -> None:
        for mount in MOUNTS:
            with self.files.store.reading() as tree:
                trail = tree.read(feed.layout.erasures_file(mount.scope)) or b""
            assert trail.count(b"\n") == self.model.scope(mount).erasures


Documents.TestCase.settings = settings(
    max_examples=25, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestDocuments = Documents.TestCase
