"""Files that can be made anew from others: written outside any plan, yet never seen in part.

Failure model. A derived file is written under another name in the transactions' directory, which the next writer
sweeps, then synced, measured, renamed, and its directory synced. Stopped anywhere, the old file or none stands under
the name; one that fails is taken away again, so that a full disk is not made fuller. Whoever writes one holds the root
lock, shared or exclusive, so an erasure is never overtaken. A failure here is nobody's error: the caller goes on
without the file.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress

from neosian_cli.disk.tree import Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from neosian_cli.disk.tree import Tree

WAITING = ".transactions"


@contextmanager
def waiting(tree: Tree, name: str) -> Iterator[str]:
    """Where a derived file of this unique name waits until it is whole."""
    place = f"{WAITING}/~{name}"
    tree.make_directories(WAITING)
    try:
        yield place
    except Exception:
        with suppress(OSError, Unsafe):
            tree.remove(place)
        raise


def publish(tree: Tree, name: str, pieces: Iterable[bytes], path: str) -> int:
    """Write the pieces and give them the path; the size in bytes. Raises OSError or `Unsafe`."""
    with waiting(tree, name) as place:
        with tree.create(place) as file:
            size = tree.write(file, pieces)
        give_name(tree, place, path, size)
    return size


def give_name(tree: Tree, place: str, path: str, size: int | None = None) -> None:
    """A waiting file gets its path, durably, if it has the size that it must have."""
    file = tree.open_for_change(place)
    if file is None:
        raise Unsafe(place, "vanished while it was written")
    with file:
        if size is not None and file.size != size:
            raise Unsafe(place, f"has {file.size} bytes instead of {size}")
        tree.sync(file)
    directory = path.rpartition("/")[0]
    tree.make_directories(directory)
    tree.move(place, path)
    tree.sync_together([], apart_from=WAITING)


def discard(tree: Tree, directory: str, names: Iterable[str]) -> None:
    """Remove derived files of a directory, durably; missing ones are fine."""
    gone = [tree.remove(f"{directory}/{name}") for name in names]
    if any(gone):
        tree.sync_directory(directory)


def discard_for_good(tree: Tree, directory: str, names: Iterable[str]) -> None:
    """Remove what an erasure is not to leave: as `discard`, and what is missing already is made to stay so.

    Whoever removed it before may have been stopped short of the sync, and a power cut would bring it back. So a
    directory is synced in which nothing is left to be removed, and where itself is missing, the nearest one above.
    """
    for name in names:
        tree.remove(f"{directory}/{name}")
    while directory and tree.directory(directory) is None:
        directory = directory.rpartition("/")[0]
    if tree.exists:
        tree.sync_directory(directory)
