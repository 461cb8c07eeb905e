"""What kind of file system a directory lies on."""

from __future__ import annotations

import os

NETWORK = ("nfs", "cifs", "smb", "9p", "fuse.sshfs", "fuse.glusterfs", "ceph", "afs", "lustre", "beegfs")


def file_system(path: str, table: str = "/proc/self/mountinfo") -> str | None:
    """The type of the file system that holds `path`, as the kernel names it; None where it does not say."""
    try:
        with open(table, encoding="utf-8", errors="surrogateescape") as lines:
            mounts = [line.split() for line in lines]
        where = os.path.realpath(path)
    except OSError:
        return None
    best, kind = -1, None
    for fields in mounts:
        point = fields[4].encode("utf-8", "surrogateescape").decode("unicode_escape", "replace")
        inside = where == point or where.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= best and "-" in fields:
            best, kind = len(point), fields[fields.index("-") + 1]
    return kind


def is_network(kind: str | None) -> bool:
    """Whether locks and syncs on such a file system are somebody else's promise."""
    return kind is not None and kind.startswith(NETWORK)
