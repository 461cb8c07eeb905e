"""Names on a file system that folds case, where two paths that differ only in case are one file.

Such a clash is refused and never merged. Whether the root folds is told by one look-up under a changed spelling of a
directory that is there for certain; only where it does are directories listed to see how names are really spelled.
"""

from __future__ import annotations

import os

from neosian_cli.errors import Failure
from neosian_cli.store import layout

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree


def folds(tree: Tree) -> bool:
    """Whether names that differ in case are one to the root's file system."""
    changed = tree.status(layout.SCOPES.upper())
    if changed is None:
        return False
    exact = tree.status(layout.SCOPES)
    return exact is not None and os.path.samestat(changed, exact)


def check(tree: Tree, file: str, path: str) -> None:
    """Raise `case_collision` where a component of `file` stands under another spelling; `path` is the document's."""
    if not folds(tree):
        return
    directory = ""
    for part in file.split("/"):
        names = [name for name, _ in tree.entries(directory)]
        if part not in names:
            other = next((name for name in names if name.casefold() == part.casefold()), None)
            if other is not None:
                raise collision(path, other)
            return
        directory = f"{directory}/{part}" if directory else part


def collision(path: str, existing: str) -> Failure:
    """The refusal of `path`, whose name the file system takes for `existing`."""
    return Failure.conflict(
        "case_collision",
        f"{path} and what is stored as {existing} have one name on this file system",
        hint="choose a name that differs in more than its case",
        path=path,
        existing=existing,
    )
