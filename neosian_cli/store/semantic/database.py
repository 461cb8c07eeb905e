"""SQLite without what the module `sqlite3` adds to its part in C: conversions of dates, which are not used here.

The import of `datetime` for their sake takes as long as SQLite's own.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
else:
    try:
        import _sqlite3 as sqlite3
    except ImportError:  # an interpreter of another make
        import sqlite3

__all__ = ["sqlite3"]
