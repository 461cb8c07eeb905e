"""Values that are read from stdin or a file: `-`, `@FILE`, and `@@x` for a text that begins with `@`."""

from __future__ import annotations

import errno
import os

from neosian_cli.commands.values import quoted
from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from neosian_cli.commands.declare import Param
    from neosian_cli.surroundings import Surroundings

PIECE = 1 << 20


def check_one_stdin(params: Sequence[Param], values: Mapping[str, object]) -> None:
    """Stdin can be read once: refuse a second `-` in a call."""
    users = []
    for param in params:
        given = values[param.key]
        texts = given if isinstance(given, list) else [given]
        users.extend([param.label] * texts.count("-"))
    if len(users) > 1:
        raise Failure("invalid_argument", f"{' and '.join(users)}: only one can be read from stdin", arguments=users)


def take(param: Param, text: str, surroundings: Surroundings) -> str | bytes:
    """The whole value of a parameter of kind text (checked to be UTF-8) or bytes."""
    if text != "-" and text[:1] != "@":
        return text if param.kind == "text" else text.encode()
    if text[:2] == "@@":
        return text[1:] if param.kind == "text" else text[1:].encode()
    data = b"".join(_read(param, text, surroundings))
    if param.kind == "bytes":
        return data
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        source = "stdin" if text == "-" else text[1:]
        message = f"{param.label}: byte {error.start} of {source} is not UTF-8"
        raise Failure("invalid_argument", message, argument=param.label, offset=error.start) from None


def stream(param: Param, text: str, surroundings: Surroundings) -> Iterator[bytes]:
    """The pieces of a parameter of kind source: `-`, `@FILE` or FILE."""
    return _read(param, text if text == "-" or text[:1] == "@" else f"@{text}", surroundings)


def _read(param: Param, text: str, surroundings: Surroundings) -> Iterator[bytes]:
    if text == "-":
        if surroundings.stdin in surroundings.closed:
            raise Failure("invalid_argument", f"{param.label}: stdin is closed", argument=param.label)
        yield from _pieces(surroundings.stdin)
        return
    name = text[1:]
    try:
        descriptor = os.open(name, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            yield from _pieces(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise _unreadable(param, name, error) from None


def _pieces(descriptor: int) -> Iterator[bytes]:
    while piece := os.read(descriptor, PIECE):
        yield piece


def _unreadable(param: Param, name: str, error: OSError) -> Failure:
    """What to call a file that cannot be read."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        hint = f"for a text that begins with @ write @@{name}"[:80] if param.kind in ("text", "bytes") else None
        return Failure("not_found", f"{param.label}: there is no file {quoted(name)}", hint=hint, path=name)
    if error.errno in (errno.EACCES, errno.EPERM):
        return Failure("permission_denied", f"{param.label}: {quoted(name)} may not be read", path=name)
    code = "invalid_argument" if error.errno in (errno.EISDIR, errno.ENAMETOOLONG, errno.ELOOP) else "io_error"
    reason = error.strerror or str(error)
    return Failure(code, f"{param.label}: {quoted(name)} cannot be read: {reason}", path=name, errno=error.errno)
