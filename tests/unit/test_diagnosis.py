import errno

import pytest

from neosian_cli.diagnosis import failure_of, trace_of
from neosian_cli.errors import Failure
from neosian_cli.render.stream import ClosedPipe
from neosian_cli.signals import Interrupted


@pytest.mark.parametrize(
    ("error", "code", "status", "message"),
    [
        (Failure("locked", "held"), "locked", 8, "held"),
        (Interrupted(1), "interrupted", 129, "stopped by SIGHUP"),
        (Interrupted(2), "interrupted", 130, "stopped by SIGINT"),
        (Interrupted(15), "interrupted", 143, "stopped by SIGTERM"),
        (KeyboardInterrupt(), "interrupted", 130, "stopped by SIGINT"),
        (ClosedPipe(), "output_failed", 74, "the reader of the result has gone"),
        (OSError(errno.EIO, "Input/output error", "/a"), "io_error", 1, "/a: Input/output error"),
        (OSError(errno.EACCES, "Permission denied", b"/a\xff"), "permission_denied", 6, "/a\udcff: Permission denied"),
        (OSError(errno.EPERM, "Operation not permitted"), "permission_denied", 6, "Operation not permitted"),
        (OSError(errno.EROFS, "Read-only file system"), "read_only", 6, "Read-only file system"),
        (OSError("odd"), "io_error", 1, "odd"),
        (MemoryError(), "internal", 1, "out of memory"),
        (RecursionError("x"), "internal", 1, "nested too deeply"),
        (ModuleNotFoundError("No module named 'x'", name="x"), "internal", 1, None),
        (ValueError("a fault"), "internal", 1, "internal error: ValueError: a fault"),
        (AssertionError(), "internal", 1, "internal error: AssertionError"),
    ],
)
def test_names(error, code, status, message):
    failure = failure_of(error)
    assert (failure.code, failure.exit_status) == (code, status)
    assert message is None or failure.message == message


def test_a_traceback_can_be_had():
    with pytest.raises(ValueError, match="a fault") as caught:
        raise ValueError("a fault")
    assert trace_of(caught.value).endswith("ValueError: a fault\n")
