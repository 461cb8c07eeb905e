"""`verify`: everything read, all that is wrong named; and on demand, what is derived made anew."""

from __future__ import annotations

import stat as modes
from dataclasses import dataclass, field

from neosian_cli.errors import Failure
from neosian_cli.model.advance import ignored
from neosian_cli.store import mailbox
from neosian_cli.store import verify as inspection
from neosian_cli.store.finding import FAULT, INDEX, MESSAGES
from neosian_cli.store.renewal import VERB, renew
from neosian_cli.store.scopes import all_scopes
from neosian_cli.store.semantic import binding, soundness

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.store.finding import Finding, Target
    from neosian_cli.store.root import Store

LISTED = "neosian status lists what is there"
OF_TRUTH = ("document_corrupt", "feed_corrupt", "record_corrupt", "format_unsupported", "unsupported")
"""What can be wrong with that from which something is derived; then it stays as it is."""


@dataclass(slots=True)
class Tally:
    """How far it has got: what was repaired, of how many findings."""

    repaired: list[dict[str, object]] = field(default_factory=list)
    total: int = 0


def verify(
    store: Store, scope: str | None, namespace: str | None = None, *, advance: Advance = ignored
) -> dict[str, Any]:
    """`{"ok", "checked", "findings"}`; a warning alone is still ok. Raises `not_found` for what is not there."""
    checked: dict[str, int] = {}
    return _told(_found(store, scope, namespace, checked, eager=False, advance=advance), checked)


def repair(
    store: Store,
    scope: str | None,
    namespace: str | None,
    tally: Tally,
    *,
    ef_of: Callable[[str], int],
    advance: Advance = ignored,
) -> dict[str, Any]:
    """As `verify`, with what is derived made anew where it is damaged, behind or missing; also `"repaired"`.

    `ef_of` says of a namespace how widely its index may be searched. Truth is left alone, and so are the findings about
    it. Raises `read_only`, `permission_denied` or `io_error`.
    """
    _require_writable(store)
    checked: dict[str, int] = {}
    found = _found(store, scope, namespace, checked, eager=True, advance=advance)
    left = [finding for finding in found if finding.derived is None]
    by_target: dict[Target, list[Finding]] = {}
    for finding in found:
        if finding.derived is not None:
            by_target.setdefault(finding.derived, []).append(finding)
            tally.total += 1
    # An index of vectors is grown from the catalogue, which has to be good by then.
    for target, findings in sorted(by_target.items(), key=lambda item: item[0].kind == INDEX):
        left += _repaired(store, target, findings, tally, ef_of)
        advance(len(findings), tally.total)
    return {**_told(left, checked), "repaired": tally.repaired}


def _repaired(
    store: Store, target: Target, findings: list[Finding], tally: Tally, ef_of: Callable[[str], int]
) -> list[Finding]:
    """Make one thing anew; what is still wrong with it."""
    try:
        done = renew(store, target, dict.fromkeys(finding.path for finding in findings), ef_of)
    except Failure as failure:
        if failure.code not in OF_TRUTH:
            raise
        return findings
    left = [finding for finding in _looked_at_again(store, target, findings) if finding.derived == target]
    wrong = {finding.path for finding in left}
    tally.repaired += [{**each.as_dict(), "repair": done} for each in findings if each.path not in wrong]
    return left


def _looked_at_again(store: Store, target: Target, findings: Iterable[Finding]) -> list[Finding]:
    found = list(
        mailbox.check(store, target.of, {"messages": 0})
        if target.kind == MESSAGES
        else soundness.check(store, target.of)
    )
    with store.reading() as tree:
        for finding in findings:
            status = tree.status(finding.path)
            plain = status is None or modes.S_ISREG(status.st_mode) or modes.S_ISDIR(status.st_mode)
            if not plain and finding not in found:
                found.append(finding)
    return found


def _found(
    store: Store,
    scope: str | None,
    namespace: str | None,
    checked: dict[str, int],
    *,
    eager: bool,
    advance: Advance,
) -> list[Finding]:
    """Each finding once."""
    if scope is not None:
        _require(store, "scope", scope, all_scopes)
    if namespace is not None:
        _require(store, "namespace", namespace, binding.names)
    scopes = None if scope is None else [scope]
    namespaces = None if namespace is None else [namespace]
    return list(dict.fromkeys(inspection.verify(store, scopes, checked, namespaces, eager=eager, advance=advance)))


def _told(findings: list[Finding], checked: dict[str, int]) -> dict[str, Any]:
    return {
        "ok": not any(finding.severity == FAULT for finding in findings),
        "checked": checked,
        "findings": [finding.as_dict() for finding in findings],
    }


def _require_writable(store: Store) -> None:
    """Raise what keeps a store from being changed before it is read whole; a refused plan is a finding."""
    try:
        with store.reading() as tree:
            exists = tree.exists
        if exists:
            with store.writing(VERB):
                pass
    except Failure as failure:
        if failure.code != "plan_refused":
            raise


def _require(store: Store, kind: str, name: str, known: Callable[[Tree], Iterable[str]]) -> None:
    """Raise `not_found` for what a store that can be read does not hold."""
    with store.looking() as look:
        if look.refusal is None and look.plan is None and name not in known(look.tree):
            raise Failure("not_found", f"there is no {kind} {name} in this store", hint=LISTED)
