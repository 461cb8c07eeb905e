"""Which scopes a root holds."""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe
from neosian_cli.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree

OWN_NAMES = frozenset(
    {layout.DOCUMENTS, layout.VERSIONS, layout.CHANGES, layout.MAILBOX, layout.ERASURES},
)
"""What a scope's directory holds beside the directories of the scopes below it."""


def all_scopes(tree: Tree, directory: str = layout.SCOPES, *, readable: bool = False) -> Iterator[str]:
    """Every scope that has a file of its own, in byte order of its directory.

    Raises `Unsafe` or OSError for a directory that cannot be read, or passes over it where only the `readable` count.
    """
    try:
        entries = sorted(tree.entries(directory))
    except (Unsafe, OSError):
        if not readable:
            raise
        return
    if any(name in OWN_NAMES for name, _ in entries):
        scope = layout.scope_of(directory)
        if scope is not None:
            yield scope
    for name, is_directory in entries:
        if is_directory and "%3A" in name:
            yield from all_scopes(tree, f"{directory}/{name}", readable=readable)


def files_below(tree: Tree, directory: str) -> Iterator[str]:
    """Every name that is no directory, as a path relative to `directory`, in byte order of the path."""
    for name, is_directory in sorted(tree.entries(directory), key=lambda entry: entry[0] + "/" * entry[1]):
        if is_directory:
            for below in files_below(tree, f"{directory}/{name}"):
                yield f"{name}/{below}"
        else:
            yield name
