"""Carrying out a plan's steps, the first time and again.

Failure model. Between the commit point and the plan's removal any write may have happened, in part, not at all, or
only in memory; after a power loss any subset of names may be there. So each step writes its whole result whatever it
finds: comparing first and skipping what looks right would trust a page that a failed sync has left clean but volatile.
A step that finds what no interruption of itself can have left (other bytes after an append's offset, a shorter file,
a directory in the way) refuses, since then something else has written here.

All steps write first; then every target is synced, then every directory whose names changed. Doing it in that order
lets the device take the writes together, and nothing reads them meanwhile, as the root lock is held.
"""

from __future__ import annotations

import stat as modes

from neosian_cli.disk.tree import File, Tree, Unsafe
from neosian_cli.journal.plan import TAIL, Adopt, Append, PlanRefused, Put, Remove, Staged, Step, sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DIRECTORY = ".transactions"
OPEN_AT_ONCE = 100
"""How many written targets may wait, open, for their sync: well below a process's usual limit of descriptors."""


def place(name: str) -> str:
    """The path of a temporary or staged file."""
    return f"{DIRECTORY}/{name}"


def tail_digest(file: File, offset: int) -> str:
    """The digest of the last 4 KiB before `offset`."""
    start = max(0, offset - TAIL)
    return sha256(file.read_at(start, offset - start))


def preflight(tree: Tree, steps: Iterable[Step]) -> None:
    """Refuse, before the commit point, what `apply` would stumble over after it; raises `Unsafe` or OSError."""
    for step in steps:
        status = tree.status(step.path)
        if status is None:
            continue
        if modes.S_ISDIR(status.st_mode):
            raise Unsafe(step.path, "is a directory")
        if isinstance(step, Append) and not modes.S_ISREG(status.st_mode):
            raise Unsafe(step.path, "is not a plain file")


def apply(tree: Tree, steps: Iterable[Step], *, fresh: bool) -> None:
    """Make the files what the steps say, durably but for the transaction directory's own names.

    `fresh` says that the staged files were written by this process, so that their digests need no second look.
    Raises `PlanRefused` where a file is not what an interrupted run can have left, `Unsafe`, or OSError.
    """
    waiting: list[File] = []
    temporary = 0

    def settle() -> None:
        for file in waiting:
            tree.sync(file)
            file.close()
        waiting.clear()

    for step in steps:
        if isinstance(step, Remove):
            tree.remove(step.path)
            continue
        tree.make_directories(step.path.rpartition("/")[0])
        if isinstance(step, Put):
            temporary += 1
            waiting.append(_replace(tree, step.path, [step.content], temporary))
        elif isinstance(step, Adopt):
            adopted = _adopt(tree, step, fresh=fresh)
            waiting.extend([adopted] if adopted else [])
        else:
            temporary += 1
            waiting.append(_append(tree, step, temporary))
        if len(waiting) >= OPEN_AT_ONCE:
            settle()
    settle()
    tree.sync_directories(apart_from=DIRECTORY)


def _replace(tree: Tree, path: str, pieces: Iterable[bytes], number: int) -> File:
    name = place(f"~put-{number}")
    file = tree.create(name)
    tree.write(file, pieces)
    tree.move(name, path)
    return file


def _adopt(tree: Tree, step: Adopt, *, fresh: bool) -> File | None:
    name = place(step.staged.name)
    staged = tree.open_file(name)
    if staged is None:
        return _accept(tree, step.path, step.staged, 0)
    with staged:
        if staged.size != step.staged.size or not (fresh or _digest(staged.chunks()) == step.staged.digest):
            raise PlanRefused(f"has the staged file {step.staged.name}, which is not what the plan says")
    tree.move(name, step.path)
    return None if fresh else tree.open_for_change(step.path)


def _append(tree: Tree, step: Append, number: int) -> File:
    file = tree.open_for_change(step.path)
    if file is None:
        if step.offset:
            raise PlanRefused(f"appends to {step.path}, which is missing")
        file = tree.create(step.path)
    try:
        if file.size < step.offset or tail_digest(file, step.offset) != step.before:
            raise PlanRefused(f"appends to {step.path}, which is not the file that it was made for")
        if isinstance(step.content, Staged) and tree.status(place(step.content.name)) is None:
            file.close()
            return _accept(tree, step.path, step.content, step.offset)
        _check_rest(tree, file, step)
        if file.links > 1:
            # A second name, a backup by hard links: the shared bytes stay as they are, the root gets a file of its own.
            pieces = (piece for part in (file.chunks(0, step.offset), _content(tree, step)) for piece in part)
            replaced = _replace(tree, step.path, pieces, number)
            file.close()
            return replaced
        if file.size > step.offset:
            tree.truncate(file, step.offset)
        tree.write(file, _content(tree, step), step.offset)
    except PlanRefused:
        file.close()
        raise
    return file


def _check_rest(tree: Tree, file: File, step: Append) -> None:
    """Refuse bytes after the offset that are neither the planned ones nor zeros."""
    offset = step.offset
    planned = _content(tree, step)
    while offset < file.size:
        piece = next(planned, b"")
        present = file.read_at(offset, len(piece) or file.size - offset)
        wanted = piece.ljust(len(present), b"\0")
        if present != wanted and any(byte not in (0, want) for byte, want in zip(present, wanted, strict=False)):
            raise PlanRefused(f"appends to {step.path}, where other bytes stand after byte {offset}")
        offset += len(present)


def _content(tree: Tree, step: Append) -> Iterator[bytes]:
    """The planned bytes; a staged file must be whole."""
    if not isinstance(step.content, Staged):
        yield step.content
        return
    staged = tree.open_file(place(step.content.name))
    if staged is None or staged.size != step.content.size:
        raise PlanRefused(f"needs the staged file {step.content.name}, which is not what the plan says")
    with staged:
        yield from staged.chunks()


def _accept(tree: Tree, path: str, expected: Staged, offset: int) -> File:
    """A target that an earlier run finished, whose staged file is gone: it must be the planned bytes exactly."""
    file = tree.open_for_change(path)
    if file is None:
        raise PlanRefused(f"needs the staged file {expected.name}, which is missing")
    if file.size != offset + expected.size or _digest(file.chunks(offset)) != expected.digest:
        file.close()
        raise PlanRefused(f"needs the staged file {expected.name}, which is missing, and {path} is not finished")
    return file


def _digest(pieces: Iterable[bytes]) -> str:
    import hashlib

    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(piece)
    return digest.hexdigest()
