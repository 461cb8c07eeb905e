"""`store.json`: what makes a directory a store."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import codec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree

NAME = "store.json"
FORMAT = 1
OF_A_ROOT_HALF_MADE = frozenset({".lock", ".transactions"})


def encode(store_id: str, created_at: str) -> bytes:
    return codec.pretty({"format": FORMAT, "store": store_id, "created_at": created_at, "requires": []})


def check(tree: Tree) -> bool:
    """Whether the tree is a store that this program can read; raises `format_unsupported` or `not_a_store`."""
    data = tree.read(NAME)
    if data is None:
        return False
    try:
        value = codec.load_object(data)
        form, requires = value["format"], value["requires"]
        known = isinstance(form, int) and not isinstance(form, bool) and isinstance(requires, list)
    except (ValueError, KeyError):
        known = False
    if not known or form < 1 or not isinstance(value.get("store"), str):
        raise Failure("not_a_store", f"{NAME} is damaged", hint="restore it from a backup", file=NAME)
    if form > FORMAT or requires:
        needs = f"format {form}" if form > FORMAT else f"the features {', '.join(map(str, requires))}"
        raise Failure("format_unsupported", f"this store needs {needs}; a newer neosian reads it", file=NAME)
    return True


def is_foreign(tree: Tree) -> bool:
    """Whether a directory without the marker holds something else than the beginnings of a store."""
    return any(name not in OF_A_ROOT_HALF_MADE for name, _ in tree.entries(""))


def store_id(tree: Tree) -> str | None:
    """The store's UUID; None where there is no store."""
    data = tree.read(NAME)
    return None if data is None else str(codec.load_object(data)["store"])
