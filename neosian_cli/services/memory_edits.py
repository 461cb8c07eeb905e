"""Changing documents: each function is one transaction with one event, checked whole before anything is written."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import body
from neosian_cli.services.memory import changed, require_editable, require_live, require_version
from neosian_cli.store import documents
from neosian_cli.store.documents import ScopeWriter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from neosian_cli.model.document import Document
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.root import Store

LISTED_LINES = 1000
"""How many line numbers a refusal names at most; the count beside them is exact."""


def write(
    store: Store,
    mount: Mount,
    path: str,
    content: str,
    *,
    actor: str,
    if_version: int | None = None,
    extra: dict[str, Any] | None = None,
) -> dict[str, object]:
    """Create or overwrite; an `extra` of None keeps the one that is there. `if_version` 0: it must not exist.

    Raises `version_mismatch`, `edit_only` for a create, and what every edit raises: `reserved_path`, `read_only`,
    `case_collision`, `document_corrupt`, `feed_corrupt`.
    """
    require_editable(mount, path, structural=False)
    body.check(content, "content")
    if if_version and not store.exists:
        require_version(mount, path, None, if_version)
    with store.writing("memory write") as transaction:
        document, newest = documents.read(transaction.tree, mount.scope, path)
        require_version(mount, path, document, if_version)
        if document is None:
            mount.require_writable(structural=True)
        if extra is None:
            extra = document.extra if document else {}
        writer = ScopeWriter(transaction, mount.scope, actor)
        row = writer.write(path, content, extra, newest)
        writer.commit()
    return changed(mount, row)


def replace(
    store: Store, mount: Mount, path: str, old: str, new: str, *, actor: str, if_version: int | None = None
) -> dict[str, object]:
    """Replace the one occurrence of `old`; raises `no_match` or `several_matches`, overlapping ones counted."""
    if not old:
        raise Failure("invalid_argument", "--old is empty; there is nothing to look for", argument="--old")
    body.check(old, "--old")
    body.check(new, "--new")

    def change(document: Document) -> str:
        at = _only_occurrence(mount, document, old)
        return document.content[:at] + new + document.content[at + len(old) :]

    return _edit(store, "memory replace", mount, path, actor=actor, if_version=if_version, change=change)


def insert(
    store: Store, mount: Mount, path: str, line: int, text: str, *, actor: str, if_version: int | None = None
) -> dict[str, object]:
    """Whole lines after line `line`, 0 being the top; raises `line_out_of_range`."""
    body.check(text, "--text")
    if line < 0:
        raise Failure("invalid_argument", "--line is less than 0", hint="0 inserts at the top", argument="--line")

    def change(document: Document) -> str:
        lines = body.count_lines(document.content)
        if line > lines:
            mounted = mount.mounted(path)
            raise Failure.conflict(
                "line_out_of_range",
                f"{mounted} has {lines} line{'s' * (lines != 1)}, so there is no line {line} to insert after",
                hint=f"to append, insert after line {lines}: --line {lines}",
                path=path,
                line=line,
                lines=lines,
            )
        return body.insert(document.content, line, text)

    return _edit(store, "memory insert", mount, path, actor=actor, if_version=if_version, change=change)


def _edit(
    store: Store,
    verb: str,
    mount: Mount,
    path: str,
    *,
    actor: str,
    if_version: int | None,
    change: Callable[[Document], str],
) -> dict[str, object]:
    """A new body made from the one that is there."""
    require_editable(mount, path, structural=False)
    if not store.exists:
        require_live(mount, path, None, None, if_version)
    with store.writing(verb) as transaction:
        document, newest = documents.read(transaction.tree, mount.scope, path)
        document = require_live(mount, path, document, newest, if_version)
        content = body.check(change(document), "the new body")
        writer = ScopeWriter(transaction, mount.scope, actor)
        row = writer.write(path, content, document.extra, newest)
        writer.commit()
    return changed(mount, row)


def _only_occurrence(mount: Mount, document: Document, old: str) -> int:
    from itertools import islice

    from neosian_cli.model.occurrences import occurrences

    first = list(islice(occurrences(document.content, old), 2))
    if len(first) == 1:
        return first[0]
    mounted = mount.mounted(document.path)
    count = 0

    def counted() -> Any:
        nonlocal count
        for at in occurrences(document.content, old):
            count += 1
            if count <= LISTED_LINES:
                yield at

    lines = list(body.lines_at(document.content, counted()))
    if not count:
        raise Failure.conflict(
            "no_match",
            f"the text to replace does not occur in {mounted}",
            hint=f"neosian memory view {mounted}",
            path=document.path,
            count=0,
            lines=[],
        )
    shown = ", ".join(map(str, lines[:10])) + (", …" if count > 10 else "")
    raise Failure.conflict(
        "several_matches",
        f"the text to replace occurs {count} times in {mounted}, on line{'s' * (len(set(lines)) > 1)} {shown}",
        hint="give more of the text around the one that is meant",
        path=document.path,
        count=count,
        lines=lines,
    )


def delete(store: Store, mount: Mount, path: str, *, actor: str, if_version: int | None = None) -> dict[str, object]:
    """The document goes, its history stays."""
    require_editable(mount, path, structural=True)
    if not store.exists:
        require_live(mount, path, None, None, if_version)
    with store.writing("memory delete") as transaction:
        document, newest = documents.read(transaction.tree, mount.scope, path)
        require_live(mount, path, document, newest, if_version)
        assert newest is not None
        writer = ScopeWriter(transaction, mount.scope, actor)
        row = writer.delete(path, newest)
        writer.commit()
    return changed(mount, row)


def rename(
    store: Store,
    mount: Mount,
    path: str,
    new_mount: Mount,
    new_path: str,
    *,
    actor: str,
    if_version: int | None = None,
) -> dict[str, object]:
    """Move a document within its mount, both paths in one transaction under one event.

    Raises `unsupported` for another mount and `exists` where the destination is taken, by the source itself too.
    """
    if new_mount != mount:
        here, there = mount.mounted(path), new_mount.mounted(new_path)
        raise Failure(
            "unsupported",
            f"{here} and {there} are in different mounts, and a rename stays within one",
            hint=f"in two steps: neosian memory view {here} | neosian memory write {there} --content -,"
            f" then neosian memory delete {here}",
            path=path,
            new_path=new_path,
        )
    require_editable(mount, path, structural=True)
    require_editable(mount, new_path, structural=True)
    if not store.exists:
        require_live(mount, path, None, None, if_version)
    with store.writing("memory rename") as transaction:
        tree = transaction.tree
        document, source = documents.read(tree, mount.scope, path)
        require_live(mount, path, document, source, if_version)
        assert source is not None
        taken, newest = (document, source) if new_path == path else documents.read(tree, mount.scope, new_path)
        if taken is not None:
            raise _taken(mount, path, taken)
        writer = ScopeWriter(transaction, mount.scope, actor)
        gone, row = writer.rename(path, source, new_path, newest)
        writer.commit()
    return changed(mount, row, previous_path=path, previous_version=gone.version)


def _taken(mount: Mount, path: str, taken: Document) -> Failure:
    mounted = mount.mounted(taken.path)
    if taken.path == path:
        message, hint = f"{mounted} has that name already", "choose another name"
    else:
        message = f"{mounted} exists already, at version {taken.version}"
        hint = f"choose another name, or first: neosian memory delete {mounted} --if-version {taken.version}"
    return Failure.conflict("exists", message, hint=hint, path=taken.path, actual=taken.version)
