"""Reading a whole root and naming all that is wrong. A good pending plan is finished first; nothing else changes."""

from __future__ import annotations

import stat as modes

from neosian_cli.disk.tree import Tree, Unsafe
from neosian_cli.errors import Failure
from neosian_cli.journal.apply import DIRECTORY as TRANSACTIONS
from neosian_cli.journal.pending import PENDING
from neosian_cli.model.advance import ignored
from neosian_cli.store import inventory, layout, marker
from neosian_cli.store.audit import audit
from neosian_cli.store.damage import code_for
from neosian_cli.store.finding import Finding, fault, of_error, of_failure, warning
from neosian_cli.store.renewal import derived_at
from neosian_cli.store.scopes import all_scopes
from neosian_cli.store.semantic import audit as semantic_audit
from neosian_cli.store.semantic import binding, places

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator

    from neosian_cli.model.advance import Advance
    from neosian_cli.store.root import Store

COUNTERS = ("scopes", "documents", "versions", "events", "messages", "namespaces", "records", "files")


def verify(
    store: Store,
    scopes: list[str] | None,
    checked: dict[str, int],
    namespaces: list[str] | None = None,
    *,
    eager: bool = False,
    advance: Advance = ignored,
) -> Iterator[Finding]:
    """All findings, of some scopes and namespaces or of everything; counts what was read in `checked` by `COUNTERS`.

    Where `eager`, derived files are found that are merely missing or behind, and would be made up for by their use.

    Raises what opening a root raises, but for a refused plan, which is a finding.
    """
    checked.update(dict.fromkeys(COUNTERS, 0))
    try:
        with store.reading() as tree:
            exists = tree.exists
            found = list(all_scopes(tree, readable=True))  # what is not is named with the other files
            held = _namespaces(tree)
    except Failure as failure:
        if failure.code != "plan_refused":
            raise
        yield fault(failure.code, PENDING, failure.message)
        return
    if not exists:
        yield from _audit_remains(store)
        return
    everything = scopes is None and namespaces is None
    with store.reading() as tree:
        if everything:
            yield from list(_audit_files(tree, store.root, checked))
        for directory in () if everything else _directories(scopes or (), namespaces or ()):
            yield from list(_audit_directory(tree, directory, checked, nested=False))
    for name in held if everything else [name for name in namespaces or () if name in held]:
        audited = semantic_audit.audit(store, name, checked, eager=eager, advance=advance)
        yield from _found(audited, places.directory(name))
    for scope in found if everything else [scope for scope in scopes or () if scope in found]:
        yield from _found(audit(store, scope, checked, advance=advance), layout.scope_directory(scope))


def _directories(scopes: Iterable[str], namespaces: Iterable[str]) -> list[str]:
    return [*map(layout.scope_directory, scopes), *map(places.directory, namespaces)]


def _audit_remains(store: Store) -> Iterator[Finding]:
    """A store that has lost its marker, or an archive that is not whole: else it would seem empty, and good."""
    with store.looking() as look:
        if not look.locked or look.plan is not None or look.refusal is not None:
            return  # who holds the lock may be making it
        tree = Tree.open(store.root, store.calls)
        try:
            if tree.status(marker.NAME) is None:
                remains = [name for name in (layout.SCOPES, places.SEMANTIC) if tree.status(name) is not None]
            else:
                remains = []
        finally:
            tree.close()
    for name in remains[:1]:
        yield fault("not_a_store", marker.NAME, f"is missing, though there is {name}: no store, or no whole archive")


def _namespaces(tree: Tree) -> list[str]:
    try:
        return binding.names(tree)
    except (Unsafe, OSError):
        return []


def _found(findings: Iterable[Finding], directory: str) -> Iterable[Finding]:
    """The findings of an audit, each once: a damaged document is found as such, and as the message that it should be.

    What the system does not let us read is a finding too, and ends this audit alone.
    """
    found: dict[Finding, None] = {}
    try:
        for finding in findings:
            found[finding] = None
    except Failure as failure:
        if failure.code not in ("permission_denied", "io_error"):
            raise
        found[of_failure(failure, directory)] = None
    return found


def _audit_files(tree: Tree, root: str, checked: dict[str, int]) -> Iterator[Finding]:
    """Names, kinds and modes of the root and of everything below it, without reading it."""
    status = tree.status("")
    if status is not None:
        yield from _audit_mode(root, status)
    for name, _ in sorted(tree.entries(TRANSACTIONS)):
        yield warning("not_a_store", f"{TRANSACTIONS}/{name}", "is left over; the next mutation sweeps temporary files")
    yield from _audit_directory(tree, "", checked)


def _audit_directory(tree: Tree, directory: str, checked: dict[str, int], *, nested: bool = True) -> Iterator[Finding]:
    """Everything below a directory; where not `nested`, without the scopes below a scope."""
    try:
        entries = sorted(tree.entries(directory))
    except (Unsafe, OSError) as error:
        yield of_error(error, directory)
        return
    for name, is_directory in entries:
        path = f"{directory}/{name}" if directory else name
        status = tree.status(path)
        if status is None:
            continue
        if is_directory and not nested and "%3A" in name:
            continue
        checked["files"] += not is_directory
        if modes.S_ISDIR(status.st_mode) or modes.S_ISREG(status.st_mode):
            yield from _audit_mode(path, status)
            yield from _audit_name(path, is_directory=is_directory)
        else:
            yield fault(code_for(path), path, "is a link or a special file", derived_at(path))
        if is_directory:
            yield from _audit_directory(tree, path, checked)


def _audit_name(path: str, *, is_directory: bool) -> Iterator[Finding]:
    """What stands under a name that the store does not give, or gives to something of the other kind."""
    expected = inventory.kind_at(path, is_directory=is_directory)
    if expected is None:
        yield warning("not_a_store", path, "is nothing that a store holds")
    elif is_directory and expected == inventory.FILE:
        yield fault(code_for(path), path, "is not a plain file", derived_at(path))
    elif not is_directory and expected == inventory.DIRECTORY:
        yield fault(code_for(f"{path}/"), path, "is not a directory", derived_at(path))


def _audit_mode(path: str, status: os.stat_result) -> Iterator[Finding]:
    mode = modes.S_IMODE(status.st_mode)
    if mode & 0o077:
        yield warning("permission_denied", path, f"has the mode {mode:04o}: others may look; chmod go= it")
