"""What an inspection of a root finds wrong."""

from __future__ import annotations

from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NamedTuple

    from neosian_cli.disk.tree import Unsafe
    from neosian_cli.errors import Failure
else:
    from neosian_cli.model.value import NamedTuple

FAULT = "fault"
WARNING = "warning"

MESSAGES = "messages"
CATALOGUE = "catalogue"
INDEX = "index"
CACHE = "cache"


class Target(NamedTuple):
    """Something that can be made anew: its kind, and the scope or namespace that it belongs to."""

    kind: str
    of: str


@value
class Finding:
    """`severity` is fault or warning; `path` a file below the root, or the root's own name for what concerns it all.

    `derived` says what is to be made anew, where what is wrong holds nothing of its own.
    """

    code: str
    severity: str
    path: str
    message: str
    derived: Target | None = None

    def as_dict(self) -> dict[str, object]:
        return {
            "code": self.code,
            "severity": self.severity,
            "path": self.path,
            "message": self.message,
            "derived": self.derived is not None,
        }


def fault(code: str, path: str, message: str, derived: Target | None = None) -> Finding:
    return Finding(code, FAULT, path, message, derived)


def warning(code: str, path: str, message: str, derived: Target | None = None) -> Finding:
    return Finding(code, WARNING, path, message, derived)


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


def of_failure(failure: Failure, path: str, derived: Target | None = None) -> Finding:
    """A failure to read something, as a finding."""
    where = str(failure.details.get("file") or failure.details.get("path") or path)
    return Finding(failure.code, FAULT, where, failure.message, derived)
