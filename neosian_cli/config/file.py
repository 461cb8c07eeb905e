"""The configuration file as text: what it may be on disk, and what is refused before a parser sees it."""

from __future__ import annotations

import os
import stat

from neosian_cli.errors import Failure

LARGEST = 1 << 20


def invalid(file: str, message: str, *, line: int | None = None, key: str | None = None) -> Failure:
    """The one form of error for a wrong configuration: the file, and where known its line and key."""
    where = file if line is None else f"{file}:{line}"
    what = f"{key if key.isprintable() else ascii(key)[1:-1]}: {message}" if key else message
    return Failure("invalid_config", f"{where}: {what}", hint=None, file=file, line=line, key=key)


def read(file: str, *, demanded: bool) -> str | None:
    """The text; None when there is no such file and nobody demanded it.

    Raises `not_found` for a demanded file and for a link to nothing (a default that is silently not read would be
    another store), `invalid_config` for what is no text file, `permission_denied`, `io_error`.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        _unopened(file, error, demanded=demanded)
        return None
    try:
        data = _contents(file, descriptor)
    except OSError as error:
        raise Failure("io_error", f"{file} cannot be read: {error.strerror}", file=file) from None
    finally:
        os.close(descriptor)
    return _decoded(file, data)


def _unopened(file: str, error: OSError, *, demanded: bool) -> None:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        if demanded:
            hint = "name one that exists, or write it: neosian docs config shows how"
            raise Failure("not_found", f"there is no configuration file {file}", hint=hint, file=file)
        if os.path.islink(file):
            raise Failure("not_found", f"the configuration file {file} is a link to nothing", file=file)
        return
    if isinstance(error, PermissionError):
        raise Failure("permission_denied", f"this user may not read the configuration file {file}", file=file)
    raise Failure("io_error", f"the configuration file {file} cannot be opened: {error.strerror}", file=file)


def _contents(file: str, descriptor: int) -> bytes:
    status = os.fstat(descriptor)
    if _is_null_device(status):
        return b""
    if not stat.S_ISREG(status.st_mode):
        raise invalid(file, f"is {_kind(status.st_mode)}, not a plain file")
    chunks: list[bytes] = []
    size = 0
    while chunk := os.read(descriptor, 1 << 16):
        chunks.append(chunk)
        size += len(chunk)
        if size > LARGEST:
            raise invalid(file, f"is larger than {LARGEST >> 20} MiB, too large for a configuration")
    return b"".join(chunks)


def _is_null_device(status: os.stat_result) -> bool:
    """Whether it is /dev/null, the customary way to say "no configuration"."""
    if not stat.S_ISCHR(status.st_mode):
        return False
    try:
        return os.stat(os.devnull).st_rdev == status.st_rdev
    except OSError:
        return False


def _kind(mode: int) -> str:
    if stat.S_ISDIR(mode):
        return "a directory"
    if stat.S_ISFIFO(mode):
        return "a FIFO"
    return "a device"


def _decoded(file: str, data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise invalid(file, "is not UTF-8 text", line=line) from None
    for number, row in enumerate(text.split("\n"), 1):
        if not row.isprintable() and (found := _control(row)):
            raise invalid(file, f"holds the control character {found!a}", line=number)
    return text


def _control(row: str) -> str:
    """The first character that YAML does not take as it stands, "" if none."""
    for letter in row:
        code = ord(letter)
        if code < 0x20 and letter not in "\t\r":
            return letter
        if 0x7F <= code < 0xA0 and code != 0x85:
            return letter
        if code in (0xFEFF, 0xFFFE, 0xFFFF):
            return letter
    return ""
