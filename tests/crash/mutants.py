"""The protocol with one thing left out or done wrong, a mutant each: what the layers have to find.

Each is a function that patches the program until the test's end; `pytest.MonkeyPatch` is undone by the fixture.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from neosian_cli.disk import root
from neosian_cli.disk.tree import File, Tree
from neosian_cli.journal import apply, journal
from neosian_cli.journal.journal import PENDING, Journal
from neosian_cli.journal.plan import Append, PlanRefused, Put, Staged

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    import pytest


def _without_sync_of(patch: pytest.MonkeyPatch, matches: Callable[[str], bool]) -> None:
    """Leave out the sync of files that were opened under some names."""
    sync, together = Tree.sync, Tree.sync_together

    def synced_together(tree: Tree, files: Sequence[File], *, apart_from: str) -> None:
        together(tree, [file for file in files if not matches(file.path)], apart_from=apart_from)

    patch.setattr(Tree, "sync", lambda tree, file: None if matches(file.path) else sync(tree, file))
    patch.setattr(Tree, "sync_together", synced_together)


def _without_sync_of_directories(patch: pytest.MonkeyPatch, matches: Callable[[str], bool]) -> None:
    sync, together = Tree.sync_directory, Tree.sync_together

    def synced(tree: Tree, path: str) -> None:
        if matches(path):
            tree._unsynced.pop(path, None)
        else:
            sync(tree, path)

    def synced_together(tree: Tree, files: Sequence[File], *, apart_from: str) -> None:
        for path in [path for path in tree._unsynced if matches(path)]:
            del tree._unsynced[path]
        together(tree, files, apart_from=apart_from)

    patch.setattr(Tree, "sync_directory", synced)
    patch.setattr(Tree, "sync_together", synced_together)


def plan_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of(patch, lambda path: path.endswith("~plan"))


def plan_name_not_synced(patch: pytest.MonkeyPatch) -> None:
    """Only the sync after the removal is left of the transaction directory's."""
    sync = Tree.sync_directory
    patch.setattr(
        Tree,
        "sync_directory",
        lambda tree, path: None if path == apply.DIRECTORY and tree.status(PENDING) else sync(tree, path),
    )


def plan_written_in_place(patch: pytest.MonkeyPatch) -> None:
    def write_plan(self: Journal, data: bytes) -> None:
        self.tree.remove(PENDING)
        with self.tree.create(PENDING) as file:
            self.tree.write(file, [data])
            self.tree.sync(file)

    move = Tree.move
    patch.setattr(Journal, "_write_plan", write_plan)
    patch.setattr(Tree, "move", lambda tree, old, new: None if new == PENDING else move(tree, old, new))


def targets_before_plan(patch: pytest.MonkeyPatch) -> None:
    """The targets are written first, and the plan as an afterthought."""
    commit = Journal.commit

    def early(self: Journal, plan: Any) -> None:
        self.tree.make_directories(apply.DIRECTORY)
        apply.apply(self.tree, plan.steps, again=False)
        commit(self, plan)

    patch.setattr(Journal, "commit", early)


def put_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of(patch, lambda path: "~put-" in path)


def put_name_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of_directories(patch, lambda path: path.endswith("/documents/notes"))


def append_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of(patch, lambda path: path.endswith((".jsonl", ".seg")))


def feed_names_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of_directories(patch, lambda path: path.endswith("/.changes"))


def history_name_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of_directories(patch, lambda path: path.endswith("/versions/notes"))


def new_directories_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of_directories(patch, lambda path: path.endswith(("/documents", "/versions", "proj%3Aerp")))


def staged_not_synced(patch: pytest.MonkeyPatch) -> None:
    _without_sync_of(patch, lambda path: path.startswith(".transactions/~0"))


def staged_name_not_synced(patch: pytest.MonkeyPatch) -> None:
    """The staged files' names are left to be made durable by the plan's."""
    sync = Tree.sync_directory

    def synced(tree: Tree, path: str) -> None:
        waiting = any(name.startswith("~") for name, _ in tree.entries(apply.DIRECTORY))
        if path != apply.DIRECTORY or tree.status(PENDING) or not waiting:
            sync(tree, path)

    patch.setattr(Tree, "sync_directory", synced)


def removal_of_target_not_synced(patch: pytest.MonkeyPatch) -> None:
    remove = Tree.remove

    def removed(tree: Tree, path: str) -> bool:
        done = remove(tree, path)
        if "/documents/" in path:
            tree._unsynced.pop(path.rpartition("/")[0], None)
        return done

    patch.setattr(Tree, "remove", removed)


def blind_append(patch: pytest.MonkeyPatch) -> None:
    """What stands in the file is added to, whatever the plan's offset says."""

    def append(tree: Tree, step: Append, _: str) -> File:
        file = tree.open_for_change(step.path) or tree.create(step.path)
        tree.write(file, apply._content(tree, step) or [], file.size)
        return file

    patch.setattr(apply, "_append", append)


def only_prefixes_accepted(patch: pytest.MonkeyPatch) -> None:
    """What stands after the offset has to be the beginning of the row: zeros are refused."""

    def examine_rest(file: File, step: Append, planned: Any) -> None:
        present = file.read_at(step.offset, file.size)
        if not b"".join(planned).startswith(present):
            raise PlanRefused("other bytes")

    patch.setattr(apply, "_examine_rest", examine_rest)


def compare_and_skip(patch: pytest.MonkeyPatch) -> None:
    """What looks right already is neither written nor synced again."""
    carry_out = apply._carry_out

    def skip(tree: Tree, step: Any, temporary: str, *, again: bool) -> File | None:
        if again and isinstance(step, Put) and tree.read(step.path) == step.content:
            return None
        if again and isinstance(step, Append) and not isinstance(step.content, Staged):
            present = tree.read(step.path)
            if present is not None and present[step.offset :] == step.content:
                return None
        return carry_out(tree, step, temporary, again=again)

    patch.setattr(apply, "_carry_out", skip)


def compare_and_sync(patch: pytest.MonkeyPatch) -> None:
    """What looks right already is synced, but not written again."""
    carry_out = apply._carry_out

    def skip(tree: Tree, step: Any, temporary: str, *, again: bool) -> File | None:
        if again and isinstance(step, Append) and not isinstance(step.content, Staged):
            present = tree.read(step.path)
            if present is not None and present[step.offset :] == step.content:
                return tree.open_for_change(step.path)
        return carry_out(tree, step, temporary, again=again)

    patch.setattr(apply, "_carry_out", skip)


def not_swept(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Journal, "_sweep", lambda *_: None)


def plan_not_published_again(patch: pytest.MonkeyPatch) -> None:
    """Recovery takes the name that it sees for a durable one."""

    def recover(self: Journal) -> bool:
        plan = self.pending()
        self._sweep(plan.staged if plan else frozenset())
        if plan is None:
            return False
        apply.apply(self.tree, plan.steps, again=True)
        self._finish(plan)
        return True

    patch.setattr(Journal, "recover", recover)


def way_not_synced_again(patch: pytest.MonkeyPatch) -> None:
    """Recovery takes the directories and removals that it finds for durable ones."""
    patch.setattr(Tree, "owe_way", lambda *_: None)


def removal_of_plan_not_synced(patch: pytest.MonkeyPatch) -> None:
    def finish(self: Journal, plan: Any) -> None:
        self.tree.remove(PENDING)
        for name in plan.staged:
            self.tree.remove(apply.place(name))

    patch.setattr(Journal, "_finish", finish)


def plan_removed_before_targets_are_synced(patch: pytest.MonkeyPatch) -> None:
    carry_out = apply.apply

    def early(tree: Tree, steps: Any, *, again: bool) -> None:
        syncs = (Tree.sync, Tree.sync_together)
        Tree.sync = Tree.sync_together = lambda *_, **__: None  # type: ignore[method-assign,assignment]
        try:
            carry_out(tree, steps, again=again)
        finally:
            Tree.sync, Tree.sync_together = syncs  # type: ignore[method-assign]

    finish = Journal._finish

    def late(self: Journal, plan: Any) -> None:
        finish(self, plan)
        apply.apply(self.tree, plan.steps, again=True)

    patch.setattr(journal, "apply", early)
    patch.setattr(Journal, "_finish", late)


def shared_bytes_renamed_unsynced(patch: pytest.MonkeyPatch) -> None:
    """A journal with a second name is copied, and its copy takes the name before it is durable."""
    sync, part = Tree.sync, apply._part

    def unsynced(*arguments: Any) -> None:
        Tree.sync = lambda *_: None  # type: ignore[method-assign]
        try:
            part(*arguments)
        finally:
            Tree.sync = sync  # type: ignore[method-assign]

    patch.setattr(apply, "_part", unsynced)


def shared_bytes_appended_to(patch: pytest.MonkeyPatch) -> None:
    opened = Tree.open_for_change

    def alone(tree: Tree, path: str) -> File | None:
        file = opened(tree, path)
        if file:
            file.links = 1
        return file

    patch.setattr(Tree, "open_for_change", alone)


def adopted_into_a_directory_not_synced(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(Tree, "sync_way", lambda *_: None)


def root_not_synced(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(root, "_sync", lambda *_: None)


def written_on_after_a_failure(patch: pytest.MonkeyPatch) -> None:
    """A failed call is tried once more, as if the second answer could be trusted."""

    def guarded(tree: Tree, path: str, call: Callable[..., Any], *arguments: object) -> Any:
        try:
            return call(*arguments)
        except OSError:
            return call(*arguments)

    patch.setattr(Tree, "_guarded", guarded)


def failure_called_success(patch: pytest.MonkeyPatch) -> None:
    sync, together = Tree.sync, Tree.sync_together

    def calm(tree: Tree, call: Callable[..., object], *arguments: object, **named: object) -> None:
        try:
            call(tree, *arguments, **named)
        except OSError:
            tree.broken = False

    patch.setattr(Tree, "sync", lambda tree, file: calm(tree, sync, file))
    patch.setattr(Tree, "sync_together", lambda tree, files, **named: calm(tree, together, files, **named))


def torn_write_called_whole(patch: pytest.MonkeyPatch) -> None:
    """The count that a write returns is not looked at."""

    def write(tree: Tree, file: File, pieces: Any, offset: int = 0) -> int:
        for piece in pieces:
            tree._guarded(file.path, tree.calls.write, file.descriptor, memoryview(piece), offset)
            offset += len(piece)
        return offset

    patch.setattr(Tree, "write", write)
