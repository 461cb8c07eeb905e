"""`status`: a look at a root that changes and recovers nothing, and works whatever state it is in."""

from __future__ import annotations

import os
import stat as modes

from neosian_cli.disk.lock import holder
from neosian_cli.disk.place import file_system, is_network
from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.journal.pending import PENDING
from neosian_cli.store import feed, layout
from neosian_cli.store.finding import Finding, fault, of_failure, warning
from neosian_cli.store.log import read_head
from neosian_cli.store.scopes import files_below
from neosian_cli.store.semantic import binding, places
from neosian_cli.store.semantic.counting import count_states
from neosian_cli.store.semantic.refresh import Derived

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.root import Look, Store


def status(store: Store, home: str, profile: str | None, mounts: Sequence[Mount]) -> dict[str, Any]:
    """What `status --json` prints. Raises only what keeps it from looking at all."""
    findings: list[Finding] = []
    held = holder(store.root) if os.path.isdir(store.root) else None
    shown: list[dict[str, Any]] = [_mount(None, mount, findings) for mount in mounts]
    found: dict[str, Any] = {"store": None, "mounts": shown, "namespaces": [], "pending_plan": None}
    try:
        with store.looking(lock_timeout=0) as look:
            found["store"] = _store_id(look.tree)
            found["mounts"] = [_mount(look.tree, mount, findings) for mount in mounts]
            found["pending_plan"] = _plan(look, findings)
            found["namespaces"] = [_namespace(store, look.tree, name, findings) for name in binding.names(look.tree)]
    except Failure as failure:
        findings.append(of_failure(failure, store.root))
    findings.extend(_surroundings(store.root))
    findings.extend(warning("not_a_store", store.root, note) for note in store.notes)
    return {
        "home": home,
        "root": store.root,
        "profile": profile,
        **found,
        "lock": held,
        "findings": [finding.as_dict() for finding in findings],
    }


def _store_id(tree: Tree) -> str | None:
    from neosian_cli.store import marker

    return marker.store_id(tree)


def _mount(tree: Tree | None, mount: Mount, findings: list[Finding]) -> dict[str, Any]:
    """One mount; its feed is None where tracking has not begun or cannot be read."""
    value: dict[str, Any] = {"path": mount.root, "scope": mount.scope, "mode": mount.mode}
    directory = f"{layout.scope_directory(mount.scope)}/{layout.DOCUMENTS}"
    head = None
    try:
        if tree is not None:
            value["documents"] = sum(name.endswith(layout.DOCUMENT_SUFFIX) for name in files_below(tree, directory))
            head = feed.read_head(tree, mount.scope)
    except Failure as failure:
        findings.append(of_failure(failure, layout.changes_directory(mount.scope)))
    except Unsafe as unsafe:
        findings.append(fault("document_corrupt", unsafe.path, unsafe.reason))
    value["feed"] = head and {
        "stream": head.stream,
        "floor": head.floor,
        "head": head.head,
        "last_created_at": head.last_created_at,
    }
    return value


def _namespace(store: Store, tree: Tree, name: str, findings: list[Finding]) -> dict[str, Any]:
    """One namespace with its counts; none where it cannot be read."""
    value: dict[str, Any] = {"name": name, "provider": None, "dimensions": None, "records": 0, "live": 0}
    try:
        namespace = binding.read(tree, name)
        head = read_head(tree, places.log_of(name))
        if namespace is not None:
            value.update(provider=namespace.binding.provider, dimensions=namespace.binding.dimensions)
        if namespace is not None and head is not None:
            catalogue = Derived(store.root, tree, namespace, head, store.new_id).glance()
            try:
                counts = count_states(catalogue, store.now())
            finally:
                catalogue.close()
            value.update(records=counts["records"], live=counts["live"])
    except Failure as failure:
        findings.append(of_failure(failure, places.directory(name)))
    except Unsafe as unsafe:
        findings.append(fault("record_corrupt", unsafe.path, unsafe.reason))
    return value


def _plan(look: Look, findings: list[Finding]) -> dict[str, Any] | None:
    if look.refusal:
        digest = f" (SHA-256 {look.refusal.digest})" if look.refusal.digest else ""
        findings.append(fault("plan_refused", PENDING, f"the pending plan {look.refusal.reason}{digest}"))
        return {"file": PENDING, "refused": look.refusal.reason, "sha256": look.refusal.digest}
    if look.plan:
        plan = look.plan
        return {"id": plan.id, "created_at": plan.created_at, "verb": plan.verb, "steps": len(plan.steps)}
    return None


def _surroundings(root: str) -> list[Finding]:
    try:
        mode = modes.S_IMODE(os.stat(root).st_mode)
    except OSError:
        return []
    found = []
    if mode & 0o077:
        found.append(warning("permission_denied", root, f"has the mode {mode:04o}: others may look; chmod go= it"))
    kind = file_system(root)
    if is_network(kind):
        reason = f"lies on {kind}: locks and syncs over a network are not to be relied on"
        found.append(warning("unsupported", root, reason))
    return found
