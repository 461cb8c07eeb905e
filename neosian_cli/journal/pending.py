"""Whether a plan is pending: the one question about the journal that every reader asks."""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Tree

PENDING = ".transactions/pending.json"


def plan_is_pending(tree: Tree) -> bool:
    """Whether something stands under the plan's name, whatever it is."""
    try:
        return tree.status(PENDING) is not None
    except Unsafe:
        return True
