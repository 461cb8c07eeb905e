"""A SQLite file where nothing can be written: no side files are made, and nobody else writes."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from neosian_cli.store.semantic.database import sqlite3


def connect(path: str) -> sqlite3.Connection:
    """A connection to the file as it is."""
    from neosian_cli.store.semantic.database import sqlite3

    escaped = "".join(f"%{byte:02x}" for byte in os.fsencode(path))
    return sqlite3.connect(f"file:{escaped}?immutable=1", uri=True, isolation_level=None)
