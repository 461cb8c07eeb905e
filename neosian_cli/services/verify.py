"""`verify`: everything read, all that is wrong named."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.store import verify as inspection
from neosian_cli.store.finding import FAULT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from neosian_cli.store.root import Store

LISTED = "neosian status lists what is there"


def verify(store: Store, scope: str | None, namespace: str | None = None) -> dict[str, Any]:
    """`{"ok", "checked", "findings"}`; a warning alone is still ok. Raises `not_found` for what is not there."""
    checked: dict[str, int] = {}
    if scope is not None:
        _require(store, scope)
    if namespace is not None:
        _require_namespace(store, namespace)
    scopes = None if scope is None else [scope]
    namespaces = None if namespace is None else [namespace]
    findings = list(dict.fromkeys(inspection.verify(store, scopes, checked, namespaces)))
    return {
        "ok": not any(finding.severity == FAULT for finding in findings),
        "checked": checked,
        "findings": [finding.as_dict() for finding in findings],
    }


def _require(store: Store, scope: str) -> None:
    from neosian_cli.store.scopes import all_scopes

    with store.looking() as look:
        if look.refusal is None and look.plan is None and scope not in all_scopes(look.tree):
            raise Failure("not_found", f"there is no scope {scope} in this store", hint=LISTED)


def _require_namespace(store: Store, name: str) -> None:
    from neosian_cli.store.semantic import binding

    with store.looking() as look:
        if look.refusal is None and look.plan is None and name not in binding.names(look.tree):
            raise Failure("not_found", f"there is no namespace {name} in this store", hint=LISTED)
