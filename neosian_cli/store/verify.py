"""Reading a whole root and naming all that is wrong. A good pending plan is finished first; nothing else changes."""

from __future__ import annotations

import stat as modes
from typing import TYPE_CHECKING

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.journal.apply import DIRECTORY as TRANSACTIONS
from neosian_cli.journal.pending import PENDING
from neosian_cli.store import layout, marker
from neosian_cli.store.audit import audit
from neosian_cli.store.finding import Finding, fault, of_failure, warning
from neosian_cli.store.scopes import all_scopes
from neosian_cli.store.semantic import audit as semantic_audit
from neosian_cli.store.semantic import binding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import Tree
    from neosian_cli.store.root import Store

KNOWN_AT_THE_TOP = frozenset({marker.NAME, ".lock", TRANSACTIONS, layout.SCOPES, "semantic"})
COUNTERS = ("scopes", "documents", "versions", "events", "messages", "namespaces", "records", "files")


def verify(
    store: Store, scopes: list[str] | None, checked: dict[str, int], namespaces: list[str] | None = None
) -> Iterator[Finding]:
    """All findings, of some scopes and namespaces or of everything; counts what was read in `checked` by `COUNTERS`.

    Raises what opening a root raises, but for a refused plan, which is a finding.
    """
    checked.update(dict.fromkeys(COUNTERS, 0))
    try:
        with store.reading() as tree:
            if not tree.exists:
                return
            found = list(all_scopes(tree))
            held = binding.names(tree)
    except Failure as failure:
        if failure.code != "plan_refused":
            raise
        yield of_failure(failure, PENDING)
        return
    everything = scopes is None and namespaces is None
    if everything:
        with store.reading() as tree:
            yield from list(_audit_files(tree, checked))
    for name in held if everything else [name for name in namespaces or () if name in held]:
        yield from semantic_audit.audit(store, name, checked)
    for scope in found if everything else [scope for scope in scopes or () if scope in found]:
        # A damaged document is found as such, and once more as the message that it should be.
        yield from dict.fromkeys(audit(store, scope, checked))


def _audit_files(tree: Tree, checked: dict[str, int]) -> Iterator[Finding]:
    """Names, kinds and modes of everything below the root, without reading it."""
    for name, _ in sorted(tree.entries("")):
        if name not in KNOWN_AT_THE_TOP:
            yield warning("not_a_store", name, "is nothing that a store holds")
    for name, _ in sorted(tree.entries(TRANSACTIONS)):
        yield warning("not_a_store", f"{TRANSACTIONS}/{name}", "is left over; the next mutation sweeps temporary files")
    yield from _audit_directory(tree, "", checked)


def _audit_directory(tree: Tree, directory: str, checked: dict[str, int]) -> Iterator[Finding]:
    from neosian_cli.store.damage import code_for

    try:
        entries = sorted(tree.entries(directory))
    except (Unsafe, OSError) as error:
        yield fault(code_for(directory), directory, getattr(error, "reason", None) or str(error))
        return
    for name, is_directory in entries:
        path = f"{directory}/{name}" if directory else name
        status = tree.status(path)
        if status is None:
            continue
        checked["files"] += not is_directory
        if modes.S_ISDIR(status.st_mode) or modes.S_ISREG(status.st_mode):
            if modes.S_IMODE(status.st_mode) & 0o077:
                yield warning("not_a_store", path, f"has the mode {modes.S_IMODE(status.st_mode):04o}: others may look")
        else:
            yield fault(code_for(path), path, "is a link or a special file")
        if is_directory:
            yield from _audit_directory(tree, path, checked)
