"""What an inspection of a root finds wrong."""

from __future__ import annotations

from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.disk.tree import Unsafe
    from neosian_cli.errors import Failure

FAULT = "fault"
WARNING = "warning"


@value
class Finding:
    """`severity` is fault or warning; `path` a file below the root, or the root's own name for what concerns it all."""

    code: str
    severity: str
    path: str
    message: str

    def as_dict(self) -> dict[str, object]:
        return {"code": self.code, "severity": self.severity, "path": self.path, "message": self.message}


def fault(code: str, path: str, message: str) -> Finding:
    return Finding(code, FAULT, path, message)


def warning(code: str, path: str, message: str) -> Finding:
    return Finding(code, WARNING, path, message)


def of_error(error: Failure | Unsafe | OSError, path: str) -> Finding:
    """What keeps one object from being read, as a finding; raises the error itself where it is not of one object."""
    from neosian_cli.disk.tree import Unsafe
    from neosian_cli.store.damage import code_for
    from neosian_cli.store.listing import problem_of

    if isinstance(error, Unsafe):
        return fault(code_for(error.path), error.path, error.reason)
    if isinstance(error, OSError) and isinstance(error.filename, str):
        path = error.filename
    return of_failure(problem_of(error, path), path)


def of_failure(failure: Failure, path: str) -> Finding:
    """A failure to read something, as a finding."""
    return Finding(
        failure.code, FAULT, str(failure.details.get("file") or failure.details.get("path") or path), failure.message
    )
