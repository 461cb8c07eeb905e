"""Documents and their versions, as values."""

from __future__ import annotations

from neosian_cli.model import times
from neosian_cli.model.kinds import COUNT, FLAG, OBJECT, TEXT, require
from neosian_cli.model.value import fields, value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


ACTIONS = ("created", "modified", "deleted", "renamed")
FORMAT = 1
RESTORED = 0
"""The `sequence` of versions and erasures that came with an archive: they are older than the scope's feed."""

KINDS = {
    "scope": TEXT,
    "path": TEXT,
    "version": COUNT,
    "action": TEXT,
    "content": TEXT,
    "extra": OBJECT,
    "actor": TEXT,
    "created_at": TEXT,
    "updated_at": TEXT,
    "document_created_at": TEXT,
    "erased": FLAG,
    "sequence": COUNT,
}
"""What the fields of documents and versions hold."""
TIMES = ("created_at", "updated_at", "document_created_at")


@value
class Version:
    """One row of a document's history.

    `created_at` is when the version was made, `document_created_at` when the document that it is a version of began;
    both in the one spelling of time. `sequence` is the number of its event in the scope's feed, or `RESTORED`. A
    deletion has no content. `extra` holds whatever JSON the writer gave.
    """

    path: str
    version: int
    action: str
    content: str
    extra: dict[str, Any]
    actor: str
    created_at: str
    document_created_at: str
    erased: bool
    sequence: int

    @property
    def is_live(self) -> bool:
        """Whether the document is there after this version."""
        return self.action != "deleted"


@value
class Document:
    """A live document."""

    scope: str
    path: str
    version: int
    created_at: str
    updated_at: str
    actor: str
    erased: bool
    content: str
    extra: dict[str, Any]


def values(kind: type[Document | Version], value: dict[str, Any]) -> list[Any]:
    """What stands in a stored object for the fields of a document or a version, in their order.

    Raises KeyError for a field that is missing, ValueError for one that holds another kind of value.
    """
    found = [value[name] for name in fields(kind)]
    require(value, KINDS)
    for name in TIMES:
        if name in fields(kind) and not times.is_shaped(value[name]):
            raise ValueError(f"holds no time as its {name}")
    if kind is Version and value["action"] not in ACTIONS:
        raise ValueError("says something unknown as its action")
    return found


def document_of(scope: str, row: Version) -> Document:
    """The live document as the newest version has it."""
    return Document(
        scope,
        row.path,
        row.version,
        row.document_created_at,
        row.created_at,
        row.actor,
        row.erased,
        row.content,
        row.extra,
    )
