"""Which scopes' mailboxes a call means."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import mount, scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.model.mount import Mount

MOST_ALLOWED = ("rw", "eo", "ro")
"""Modes of a mount, the one that allows most first."""


def find_mounts(mounts: Sequence[Mount], target: str | None) -> list[Mount]:
    """The mounts that a target names, a mount's root or a scope that is mounted; all of them without a target.

    Raises `invalid_argument`.
    """
    if target is None:
        return list(mounts)
    if target.startswith("/"):
        return [mount.locate_root(mounts, target)]
    scope.check(target)
    found = [known for known in mounts if known.scope == target]
    if not found:
        raise Failure(
            "invalid_argument",
            f"no mount shows the scope {target}",
            hint=f"the mounts are {mount.choices(mounts)}; add one with --mount scope={target},path=NAME",
        )
    return found


def by_scope(mounts: Sequence[Mount]) -> dict[str, Mount]:
    """For each scope the mount that allows most, in the order of the mounts."""
    found: dict[str, Mount] = {}
    for known in mounts:
        other = found.get(known.scope)
        if other is None or MOST_ALLOWED.index(known.mode) < MOST_ALLOWED.index(other.mode):
            found[known.scope] = known
    return found
