"""Carrying out a plan's steps, the first time and again.

Failure model. Between the commit point and the plan's removal any write may have happened, in part, not at all, or
only in memory; after a power loss any subset of names may be there. So each step writes its whole result whatever it
finds: comparing first and skipping what looks right would trust a page that a failed sync has left clean but volatile.
What recovery finds in place (a name that is gone already, a directory that an interrupted run has made) need not be
durable either: every directory on the way to a target is synced again.
A step that finds what no interruption of itself can have left (other bytes after an append's offset, a shorter file,
a directory in the way) refuses, since then something else has written here; recovery asks all steps before the first.

All steps write first; then every target is synced, then every directory whose names changed. Doing it in that order
lets the device take the writes together, and nothing reads them meanwhile, as the root lock is held.
"""

from __future__ import annotations

import stat as modes
from contextlib import contextmanager

from neosian_cli.disk.tree import File, Tree, Unsafe
from neosian_cli.journal.plan import TAIL, Adopt, Append, PlanRefused, Put, Remove, Staged, Step, sha256
from neosian_cli.model.digest import sha256_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DIRECTORY = ".transactions"
OPEN_AT_ONCE = 64
"""How many written targets may wait, open, for their sync: well below a process's usual limit of descriptors."""


def place(name: str) -> str:
    """The path of a temporary or staged file."""
    return f"{DIRECTORY}/{name}"


def tail_digest(file: File, offset: int) -> str:
    """The digest of the last 4 KiB before `offset`."""
    start = max(0, offset - TAIL)
    return sha256(file.read_at(start, offset - start))


def preflight(tree: Tree, steps: Iterable[Step]) -> None:
    """Refuse what `apply` would stumble over, whoever runs it; raises `Unsafe`."""
    for step in steps:
        status = tree.status(step.path)
        if status is None:
            continue
        if modes.S_ISDIR(status.st_mode):
            raise Unsafe(step.path, "is a directory")
        if isinstance(step, Append) and not modes.S_ISREG(status.st_mode):
            raise Unsafe(step.path, "is not a plain file")


def preflight_rights(tree: Tree, steps: Iterable[Step]) -> None:
    """Refuse, before the commit point, what this user may not write: recovery would stop at it for ever.

    Raises `Unsafe` or OSError.
    """
    for directory in sorted({step.path.rpartition("/")[0] for step in steps}):
        tree.check_writable(directory)
    for step in steps:
        if isinstance(step, Append) and (file := tree.open_for_change(step.path)):
            file.close()


def examine(tree: Tree, steps: Iterable[Step]) -> None:
    """Refuse, before recovery touches anything, what no interrupted run can have left.

    Raises `PlanRefused` or `Unsafe`.
    """
    for step in steps:
        if isinstance(step, Append):
            _examine_append(tree, step)
        elif isinstance(step, Adopt) and not _is_staged(tree, step.staged):
            _examine_finished(tree, step.path, step.staged, 0)


def apply(tree: Tree, steps: Iterable[Step], *, again: bool) -> None:
    """Make the files what the steps say, durably but for the transaction directory's own names.

    `again`: an earlier run was interrupted, and `examine` has found nothing amiss. Raises `Unsafe`, or OSError.
    """
    waiting: list[File] = []

    try:
        for number, step in enumerate(steps):
            file = _carry_out(tree, step, f"~put-{number}", again=again)
            if file:
                waiting.append(file)
            if again:
                tree.owe_way(step.path)
            if len(waiting) >= OPEN_AT_ONCE:
                tree.sync_together(waiting, apart_from=DIRECTORY)
                while waiting:
                    waiting.pop().close()
        tree.sync_together(waiting, apart_from=DIRECTORY)
    finally:
        for file in waiting:
            file.close()


def _carry_out(tree: Tree, step: Step, temporary: str, *, again: bool) -> File | None:
    """Write one step's result; the file that has to be synced, if any."""
    if isinstance(step, Remove):
        tree.remove(step.path)
        return None
    tree.make_directories(step.path.rpartition("/")[0])
    if isinstance(step, Put):
        return _replace(tree, step.path, step.content, temporary)
    if isinstance(step, Append):
        return _append(tree, step, temporary)
    if again:
        tree.owe_way(step.path)
    # The staged file has the only copy: it must not move into a directory that a power cut could still take away.
    tree.sync_way(step.path)
    if tree.status(place(step.staged.name)) is not None:
        tree.move(place(step.staged.name), step.path)
    # What a run has staged it has synced; whether an interrupted one's sync was good, nobody knows.
    return tree.open_for_change(step.path) if again else None


def _replace(tree: Tree, path: str, content: bytes, temporary: str) -> File:
    name = place(temporary)
    file = tree.create(name)
    with _closed_on_failure(file):
        tree.write(file, [content])
        tree.move(name, path)
    return file


def _append(tree: Tree, step: Append, temporary: str) -> File:
    content = _content(tree, step)
    file = tree.open_for_change(step.path) or tree.create(step.path)
    if content is None:
        return file
    if file.links > 1:
        with file:
            _part(tree, file, step, temporary)
        file = tree.open_for_change(step.path) or tree.create(step.path)
    with _closed_on_failure(file):
        if file.size > step.offset:
            tree.truncate(file, step.offset)
        tree.write(file, content, step.offset)
    return file


@contextmanager
def _closed_on_failure(file: File) -> Iterator[None]:
    try:
        yield
    except BaseException:
        file.close()
        raise


def _part(tree: Tree, file: File, step: Append, temporary: str) -> None:
    """Give the root a file of its own where a second name, as in a backup by hard links, shares its bytes.

    Synced before it takes the name: what stands before the offset is in no plan, and the old file's name goes.
    """
    name = place(temporary)
    with tree.create(name) as own:
        tree.write(own, file.chunks(0, step.offset))
        tree.sync(own)
    tree.move(name, step.path)


def _content(tree: Tree, step: Append) -> Iterable[bytes] | None:
    """The planned bytes in pieces; None where an earlier run has written them and removed their staged file."""
    if not isinstance(step.content, Staged):
        return [step.content]
    staged = tree.open_file(place(step.content.name))
    return None if staged is None else _pieces(staged)


def _pieces(file: File) -> Iterator[bytes]:
    with file:
        yield from file.chunks()


def _examine_append(tree: Tree, step: Append) -> None:
    file = tree.open_file(step.path)
    if file is None:
        if step.offset:
            raise PlanRefused(f"appends to {step.path}, which is missing")
        if isinstance(step.content, Staged) and not _is_staged(tree, step.content):
            raise PlanRefused(f"needs the staged file {step.content.name}, which is missing")
        return
    with file:
        if file.size < step.offset or tail_digest(file, step.offset) != step.before:
            raise PlanRefused(f"appends to {step.path}, which is not the file that it was made for")
        if isinstance(step.content, Staged) and not _is_staged(tree, step.content):
            _examine_finished(tree, step.path, step.content, step.offset)
        else:
            _examine_rest(file, step, _content(tree, step) or [])


def _examine_rest(file: File, step: Append, planned: Iterable[bytes]) -> None:
    """Refuse bytes after the offset that are neither the planned ones nor zeros."""
    offset = step.offset
    for piece in planned:
        present = file.read_at(offset, len(piece))
        if present != piece[: len(present)] and any(
            byte not in (0, wanted) for byte, wanted in zip(present, piece, strict=False)
        ):
            raise PlanRefused(f"appends to {step.path}, where other bytes stand after byte {offset}")
        offset += len(piece)
    for present in file.chunks(offset):
        if present.strip(b"\0"):
            raise PlanRefused(f"appends to {step.path}, where other bytes stand after byte {offset}")


def _is_staged(tree: Tree, expected: Staged) -> bool:
    """Whether a staged file is still there; raises `PlanRefused` where it is not what the plan says."""
    staged = tree.open_file(place(expected.name))
    if staged is None:
        return False
    with staged:
        if staged.size != expected.size or sha256_of(staged.chunks()) != expected.digest:
            raise PlanRefused(f"needs the staged file {expected.name}, which is not what the plan says")
    return True


def _examine_finished(tree: Tree, path: str, expected: Staged, offset: int) -> None:
    """A target whose staged file is gone must be what an earlier run has made of it."""
    file = tree.open_file(path)
    if file is None:
        raise PlanRefused(f"needs the staged file {expected.name}, which is missing")
    with file:
        if file.size != offset + expected.size or sha256_of(file.chunks(offset)) != expected.digest:
            raise PlanRefused(f"needs the staged file {expected.name}, which is missing, and {path} is not finished")
