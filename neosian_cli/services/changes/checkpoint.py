"""A consumer's place, kept in a file of its own: one cursor and a newline.

Reading never writes it. A consumer saves its place after the work is done, and never moves it back by mistake: a file
that holds anything but a checkpoint of this scope is not overwritten, whatever is forced.
"""

from __future__ import annotations

import errno
import os

from neosian_cli.disk import beside
from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model.cursor import MAX_BYTES, malformed
from neosian_cli.services.changes.position import AHEAD, STREAM_RESET, ahead, checked_head, parse, state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from neosian_cli.disk.calls import Calls
    from neosian_cli.model.cursor import Cursor
    from neosian_cli.model.mount import Mount
    from neosian_cli.store.log import Head
    from neosian_cli.store.root import Store

FORMAT = 1


def load(file: str, scope: str) -> Cursor | None:
    """The cursor in a file; None where the file is missing or empty.

    Raises `invalid_cursor` for anything that is no cursor of this scope, `invalid_argument` for a link or a special
    file, `permission_denied` or `io_error`.
    """
    if not file:
        raise Failure("invalid_argument", "the name of the checkpoint is empty", file=file)
    try:
        content = beside.read(file, MAX_BYTES + 2)
    except Unsafe as unsafe:
        raise _unsafe(unsafe) from None
    except OSError as error:
        raise _refused(file, error) from None
    if not content:
        return None
    what = f"content of {shown(file)}"
    try:
        return parse(content.removesuffix(b"\n").decode("ascii"), scope, what)
    except UnicodeDecodeError:
        raise malformed(what) from None
    except Failure as failure:
        failure.details["file"] = shown(file)
        raise


def require(file: str, mount: Mount, hint: str | None = None) -> Cursor:
    """As `load`, where there has to be one; raises `not_found` too, with a hint how a consumer saves its place."""
    cursor = load(file, mount.scope)
    if cursor is None:
        from shlex import quote

        state = "is empty" if os.path.lexists(file) else "does not exist"
        saving = f"neosian changes checkpoint {quote(file)} {mount.root} --advance CURSOR"
        raise Failure(
            "not_found",
            f"the checkpoint {shown(file)} {state}",
            hint=hint or f"a consumer saves its place with {saving}",
            file=shown(file),
        )
    return cursor


def check_place(file: str) -> None:
    """Refuse a file that could not be made, before there is anything to save; raises `not_found`."""
    folder = os.path.dirname(file) or os.curdir
    if not os.path.isdir(folder):
        from shlex import quote

        message = f"there is no folder {shown(folder)} for the checkpoint"
        raise Failure("not_found", message, hint=f"make it first: mkdir -p {quote(folder)}", file=shown(file))


def save(file: str, cursor: str, token: str, calls: Calls | None = None) -> None:
    """Put a cursor into a file, durably, mode 0600; `token` is random. Raises as `load`, `not_found` or `read_only`."""
    try:
        if calls is None:
            beside.replace(file, f"{cursor}\n".encode(), token)
        else:
            beside.replace(file, f"{cursor}\n".encode(), token, calls)
    except Unsafe as unsafe:
        raise _unsafe(unsafe) from None
    except OSError as error:
        raise _refused(file, error) from None


def show(store: Store, mount: Mount, file: str) -> dict[str, Any]:
    """What a file holds, and how far behind the feed's head that is. Raises as `require`."""
    cursor = require(file, mount)
    with store.reading() as tree:
        head = checked_head(tree, mount.scope)
        state = state_of(tree, head, cursor)
    return _report(mount, file, cursor, head, state)


def advance(
    store: Store,
    mount: Mount,
    file: str,
    text: str,
    *,
    force: bool,
    new_token: Callable[[], str],
    calls: Calls | None = None,
) -> dict[str, Any]:
    """Save the cursor `text`, and say what `show` says.

    Raises `invalid_cursor` (malformed, scope or ahead) whatever is forced; unless forced `checkpoint_behind` for a move
    backwards or to another stream or history.
    """
    cursor = parse(text, mount.scope, option="--advance")
    held = load(file, mount.scope)
    with store.reading() as tree:
        head = checked_head(tree, mount.scope)
        state = state_of(tree, head, cursor)
    if state == AHEAD and head is not None:
        raise ahead(mount, cursor, head)
    if not force:
        _refuse_going_back(mount, file, held, cursor)
        if state == STREAM_RESET:
            raise _behind(mount, file, "the cursor is of another stream or history than the feed", held, cursor)
    if held != cursor:
        save(file, cursor.encode(), new_token(), calls)
    return _report(mount, file, cursor, head, state)


def keep(mount: Mount, file: str, cursor: str, new_token: Callable[[], str]) -> None:
    """Save the cursor of a page that has been handed on, unless the file has moved ahead of it or elsewhere."""
    to = parse(cursor, mount.scope)
    held = load(file, mount.scope)
    _refuse_going_back(mount, file, held, to)
    if held != to:
        save(file, cursor, new_token())


def lag_of(cursor: Cursor, head: Head | None, state: str) -> int | None:
    """How many events are after the cursor; None where the two cannot be compared."""
    return None if head is None or state in (STREAM_RESET, AHEAD) else head.head - cursor.sequence


def _report(mount: Mount, file: str, cursor: Cursor, head: Head | None, state: str) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "file": shown(file),
        "path": mount.root,
        "scope": mount.scope,
        "cursor": cursor.encode(),
        "sequence": cursor.sequence,
        "head": None if head is None else head.head,
        "lag": lag_of(cursor, head, state),
        "state": state,
    }


def _refuse_going_back(mount: Mount, file: str, held: Cursor | None, cursor: Cursor) -> None:
    if held is None:
        return
    if held.stream != cursor.stream:
        raise _behind(mount, file, "it is of another stream", held, cursor)
    if held.sequence > cursor.sequence:
        raise _behind(mount, file, f"it stands at {held.sequence:,} already", held, cursor)
    if held.sequence == cursor.sequence and held.chain != cursor.chain:
        raise _behind(mount, file, "it is of another history", held, cursor)


def _behind(mount: Mount, file: str, why: str, held: Cursor | None, cursor: Cursor) -> Failure:
    return Failure.conflict(
        "checkpoint_behind",
        f"the checkpoint {shown(file)} cannot be moved to {cursor.sequence:,}: {why}",
        hint=f"reconcile first (neosian changes snapshot {mount.root}), then repeat this with --force",
        file=shown(file),
        held=None if held is None else held.sequence,
        sequence=cursor.sequence,
    )


def _unsafe(unsafe: Unsafe) -> Failure:
    return Failure(
        "invalid_argument",
        f"{shown(unsafe.path)} {unsafe.reason}, and a checkpoint is a plain file",
        file=shown(unsafe.path),
    )


def _refused(file: str, error: OSError) -> Failure:
    reason = os.strerror(error.errno) if error.errno else str(error)
    code = {
        errno.EACCES: "permission_denied",
        errno.EPERM: "permission_denied",
        errno.EROFS: "read_only",
        errno.ENOENT: "not_found",
        errno.ENOTDIR: "not_found",
        errno.ENAMETOOLONG: "invalid_argument",
    }.get(error.errno or 0, "io_error")
    committed = "unknown" if getattr(error, "renamed", False) else False
    return Failure(code, f"the checkpoint {shown(file)}: {reason}", file=shown(file), committed=committed)


def shown(file: str) -> str:
    """The file's name as it can be shown and put into JSON."""
    return os.fsencode(file).decode("utf-8", "backslashreplace")
