"""What an exception is called when it reaches the door."""

from __future__ import annotations

import errno

from neosian_cli.errors import HINTS, Failure
from neosian_cli.render.stream import ClosedPipe
from neosian_cli.signals import NAMES, Interrupted

DEBUG_HINT = HINTS["internal"]


def failure_of(error: BaseException) -> Failure:
    """The failure that users are told of."""
    if isinstance(error, Failure):
        return error
    if isinstance(error, Interrupted):
        return _interrupted(error.number)
    if isinstance(error, KeyboardInterrupt):
        return _interrupted(2)
    if isinstance(error, ClosedPipe):
        return Failure("output_failed", "the reader of the result has gone", errno=errno.EPIPE)
    if isinstance(error, ImportError):
        return _unimportable(error)
    if isinstance(error, OSError):
        return _refused(error)
    if isinstance(error, MemoryError):
        return Failure("internal", "out of memory")
    if isinstance(error, RecursionError):
        return Failure("internal", "nested too deeply", hint=DEBUG_HINT)
    text = str(error)
    shown = f"{type(error).__name__}: {text}" if text else type(error).__name__
    return Failure("internal", f"internal error: {shown}", hint=DEBUG_HINT, type=type(error).__name__)


def trace_of(error: BaseException) -> str:
    """The traceback, with its newline."""
    import traceback

    return "".join(traceback.format_exception(error))


def _interrupted(number: int) -> Failure:
    failure = Failure("interrupted", f"stopped by {NAMES[number]}", signal=NAMES[number])
    failure.exit_status = 128 + number
    return failure


def _unimportable(error: ImportError) -> Failure:
    name = error.name or "a module"
    return Failure(
        "internal",
        f"{name} cannot be imported: {error.msg}",
        hint="install neosian-cli again, with all that it requires",
        module=error.name,
    )


def _refused(error: OSError) -> Failure:
    """What the operating system refused; the errno stays in the details."""
    reason = error.strerror or str(error) or type(error).__name__
    path = error.filename
    if isinstance(path, bytes):
        path = path.decode("utf-8", "surrogateescape")
    shown = reason if path is None else f"{path}: {reason}"
    code = {errno.EACCES: "permission_denied", errno.EPERM: "permission_denied", errno.EROFS: "read_only"}.get(
        error.errno or 0, "io_error"
    )
    return Failure(code, shown, errno=error.errno, path=None if path is None else str(path))
