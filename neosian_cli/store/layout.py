"""Where things lie below a root: the only place that turns scopes and document paths into file names and back."""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import path as paths
from neosian_cli.model import scope as scopes

SCOPES = "scopes"
DOCUMENTS = "documents"
VERSIONS = "versions"
CHANGES = ".changes"
MAILBOX = ".mailbox"
ERASURES = "erasures.jsonl"
DOCUMENT_SUFFIX = ".json"
VERSIONS_SUFFIX = ".jsonl"


def scope_directory(scope: str) -> str:
    """`scopes/user%3Ame/proj%3Aerp`: a directory a segment; `%3A` keeps nested scopes apart from what a scope holds."""
    return f"{SCOPES}/{scope.replace(':', '%3A')}"


def scope_of(directory: str) -> str | None:
    """The scope of such a directory; None where it is none."""
    text = directory.removeprefix(f"{SCOPES}/").replace("%3A", ":")
    try:
        return scopes.check(text) if scope_directory(text) == directory else None
    except Failure:
        return None


def _escape_directory(segment: str) -> str:
    """A directory never ends as a file does, so that the documents `x` and `x.json/y` live side by side."""
    for suffix in (DOCUMENT_SUFFIX, VERSIONS_SUFFIX):
        if segment.endswith(suffix):
            return f"{segment.removesuffix(suffix)}%2E{suffix[1:]}"
    return segment


def relative_file(path: str, suffix: str) -> str:
    """A document path as a file's path below `documents/` or `versions/`."""
    *directories, name = path.split("/")
    return "/".join([*map(_escape_directory, directories), name + suffix])


def relative_directory(path: str) -> str:
    """A document path as the path of the directory that holds what lies below it."""
    return "/".join(map(_escape_directory, path.split("/")))


def segment_of_directory(name: str) -> str:
    """The path segment that a directory's name stands for."""
    return name.replace("%2E", ".")


def document_file(scope: str, path: str) -> str:
    return f"{scope_directory(scope)}/{DOCUMENTS}/{relative_file(path, DOCUMENT_SUFFIX)}"


def versions_file(scope: str, path: str) -> str:
    return f"{scope_directory(scope)}/{VERSIONS}/{relative_file(path, VERSIONS_SUFFIX)}"


def erasures_file(scope: str) -> str:
    return f"{scope_directory(scope)}/{ERASURES}"


def changes_directory(scope: str) -> str:
    return f"{scope_directory(scope)}/{CHANGES}"


def mailbox_file(scope: str) -> str:
    return f"{scope_directory(scope)}/{MAILBOX}/open.log"


def document_path(relative: str, suffix: str) -> str | None:
    """The document path of a file below `documents/` or `versions/`; None where no document has such a file."""
    if not relative.endswith(suffix):
        return None
    *directories, name = relative.split("/")
    path = "/".join([*map(segment_of_directory, directories), name.removesuffix(suffix)])
    try:
        return paths.check(path) if relative_file(path, suffix) == relative else None
    except Failure:
        return None
