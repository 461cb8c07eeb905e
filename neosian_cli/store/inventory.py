"""What belongs where below a root: which names the store gives, and whether each is a file or a directory."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.journal.apply import DIRECTORY as TRANSACTIONS
from neosian_cli.model import path as paths
from neosian_cli.model.namespace import check_name
from neosian_cli.store import layout, marker
from neosian_cli.store.scopes import OWN_NAMES
from neosian_cli.store.semantic import places

FILE = "file"
DIRECTORY = "directory"

TOP = {
    marker.NAME: FILE,
    ".lock": FILE,
    TRANSACTIONS: DIRECTORY,
    layout.SCOPES: DIRECTORY,
    places.SEMANTIC: DIRECTORY,
}
OF_A_SCOPE = {**dict.fromkeys(OWN_NAMES, DIRECTORY), layout.ERASURES: FILE}
OF_A_NAMESPACE = {
    places.BINDING: FILE,
    "log.json": FILE,
    "records": DIRECTORY,
    "vectors": DIRECTORY,
    "derived": DIRECTORY,
}
SUFFIXES = {layout.DOCUMENTS: layout.DOCUMENT_SUFFIX, layout.VERSIONS: layout.VERSIONS_SUFFIX}


def kind_at(path: str, *, is_directory: bool) -> str | None:
    """What the store has under this name, relative to the root; None where it has no such name.

    Below `documents` and `versions` names stand for paths of any depth, and a name may do for one kind alone; so it
    counts there what is found. What is derived from records may have any name.
    """
    top, *rest = path.split("/")
    if not rest:
        return TOP.get(top)
    if top == layout.SCOPES:
        return _in_scopes(rest, is_directory=is_directory)
    if top == places.SEMANTIC:
        return _in_namespace(rest, is_directory=is_directory)
    return FILE if top == TRANSACTIONS else None


def _in_scopes(parts: list[str], *, is_directory: bool) -> str | None:
    own = next((at for at, name in enumerate(parts) if name in OF_A_SCOPE), None)
    scope = parts[:own]
    if not scope or layout.scope_of("/".join((layout.SCOPES, *scope))) is None:
        return None
    if own is None:
        return DIRECTORY
    name, below = parts[own], parts[own + 1 :]
    if not below:
        return OF_A_SCOPE[name]
    if name in SUFFIXES:
        return _of_a_path("/".join(below), SUFFIXES[name], is_directory=is_directory)
    if name == layout.MAILBOX:
        return FILE if below == ["open.log"] else None
    return FILE if below == ["stream.json"] or _is_segment(below) else None


def _of_a_path(relative: str, suffix: str, *, is_directory: bool) -> str | None:
    if layout.document_path(relative, suffix) is not None:
        return FILE
    if not is_directory:
        return None
    path = "/".join(map(layout.segment_of_directory, relative.split("/")))
    try:
        paths.check(path)
    except Failure:
        return None
    return DIRECTORY if layout.relative_directory(path) == relative else None


def _in_namespace(parts: list[str], *, is_directory: bool) -> str | None:
    name, *rest = parts
    try:
        check_name(name)
    except Failure:
        return None
    if not rest:
        return DIRECTORY
    below = rest[1:]
    if not below:
        return OF_A_NAMESPACE.get(rest[0])
    if rest[0] == "derived":
        return DIRECTORY if is_directory else FILE
    if rest[0] == "records":
        return FILE if _is_segment(below) else None
    return FILE if rest[0] == "vectors" and _is_numbered(below, places.VECTORS_SUFFIX, 8) else None


def _is_segment(names: list[str]) -> bool:
    return _is_numbered(names, ".seg", 20)


def _is_numbered(names: list[str], suffix: str, digits: int) -> bool:
    stem = names[0].removesuffix(suffix)
    return len(names) == 1 and names[0].endswith(suffix) and len(stem) >= digits and stem.isascii() and stem.isdigit()
