"""What an inspection of a root finds wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from neosian_cli.errors import Failure

FAULT = "fault"
WARNING = "warning"


@dataclass(frozen=True, slots=True)
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


def of_failure(failure: Failure, path: str) -> Finding:
    """A failure to read something, as a finding."""
    return Finding(failure.code, FAULT, str(failure.details.get("file") or path), failure.message)
