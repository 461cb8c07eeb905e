"""What the memory verbs share: naming a document, and refusing what its mount, path or state does not allow."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import path as paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.model.document import Document, Version
    from neosian_cli.model.mount import Mount


def require_editable(mount: Mount, path: str, *, structural: bool) -> None:
    """Raise `reserved_path`, `read_only` or `edit_only` before anything is looked at."""
    if paths.is_reserved(path):
        raise Failure(
            "reserved_path",
            f"{mount.mounted(path)} is kept for messages; the memory verbs do not change it",
            hint="the messages verbs do: neosian messages --help",
            path=path,
        )
    mount.require_writable(structural=structural)


def require_version(mount: Mount, path: str, document: Document | None, if_version: int | None) -> None:
    """Raise `version_mismatch` unless the document is at this version; 0 means that there is none."""
    actual = document.version if document else 0
    if if_version is None or if_version == actual:
        return
    mounted = mount.mounted(path)
    if not actual:
        message = f"there is no document at {mounted}, so it is not at version {if_version}"
        hint = f"neosian memory list {mount.root}; where it may be made anew, leave --if-version out"
    elif not if_version:
        message = f"{mounted} exists already, at version {actual}"
        hint = f"neosian memory view {mounted}; to overwrite it, pass --if-version {actual}"
    else:
        message = f"{mounted} is at version {actual}, not {if_version}"
        hint = f"neosian memory diff {mounted} --from {if_version}; then try again with --if-version {actual}"
        if if_version > actual:
            hint = f"neosian memory view {mounted}; then try again with --if-version {actual}"
    raise Failure.conflict("version_mismatch", message, hint=hint, path=path, expected=if_version, actual=actual)


def require_live(
    mount: Mount,
    path: str,
    document: Document | None,
    newest: Version | None,
    if_version: int | None = None,
) -> Document:
    """The document where there is one, at the version that is asked for; else `not_found` or `version_mismatch`."""
    if document is None and not if_version:
        raise missing(mount, path, newest)
    require_version(mount, path, document, if_version)
    assert document is not None
    return document


def missing(mount: Mount, path: str, newest: Version | None) -> Failure:
    """No live document: it was deleted, or was never there."""
    mounted = mount.mounted(path)
    if newest is None:
        return Failure(
            "not_found",
            f"there is no document at {mounted}",
            hint=f"neosian memory list {mount.root}",
            path=path,
        )
    return Failure(
        "not_found",
        f"{mounted} was deleted, as version {newest.version}",
        hint=f"to see what it was: neosian memory versions {mounted}",
        path=path,
        deleted_version=newest.version,
    )


def no_version(mount: Mount, path: str, number: int, newest: Version | None) -> Failure:
    """A version that the path does not have."""
    mounted = mount.mounted(path)
    if newest is None:
        return Failure("not_found", f"{mounted} was never written", hint=f"neosian memory list {mount.root}", path=path)
    return Failure(
        "not_found",
        f"{mounted} has no version {number}; its newest is {newest.version}",
        hint=f"neosian memory versions {mounted}",
        path=path,
        version=number,
        newest=newest.version,
    )


def changed(mount: Mount, row: Version, **more: object) -> dict[str, object]:
    """The result of a verb that made a version: `more` stands before the action."""
    return {
        "scope": mount.scope,
        "path": row.path,
        "mounted_path": mount.mounted(row.path),
        "version": row.version,
        **more,
        "action": row.action,
    }
