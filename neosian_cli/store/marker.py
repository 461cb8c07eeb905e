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
    except ValueError:
        raise _damaged() from None
    form, requires = value.get("format"), value.get("requires")
    if not isinstance(form, int) or isinstance(form, bool) or form < 1:
        raise _damaged()
    if form > FORMAT:  # of which nothing more is known, not even what else it holds
        raise _newer(f"format {form}")
    if not isinstance(requires, list) or not isinstance(value.get("store"), str):
        raise _damaged()
    if requires:
        raise _newer(f"the features {', '.join(map(str, requires))}")
    return True


def _damaged() -> Failure:
    return Failure("not_a_store", f"{NAME} is damaged", hint="restore it from a backup", file=NAME)


def _newer(needs: str) -> Failure:
    return Failure(
        "format_unsupported",
        f"this store needs {needs}; a newer neosian reads it",
        hint="neosian version says which one this is",
        file=NAME,
    )


def is_foreign(tree: Tree) -> bool:
    """Whether a directory without the marker holds something else than the beginnings of a store."""
    return any(name not in OF_A_ROOT_HALF_MADE for name, _ in tree.entries(""))


def store_id(tree: Tree) -> str | None:
    """The store's UUID; None where there is no store."""
    data = tree.read(NAME)
    return None if data is None else str(codec.load_object(data)["store"])
