"""A directory tree below one root descriptor: reading without following links, writing through the seam.

Failure model. Nothing here is atomic by itself; the journal makes it so. Three rules hold:
* every component of a path is opened relative to its parent and never through a link, so a tree that is changed
  under our hands can hide a file from us but cannot lead us out of the root;
* a name that is not what it should be (a link, a FIFO, a device, somebody else's file) raises `Unsafe` and is not read;
* after the first failed write, sync or rename this tree writes nothing more: the kernel may have dropped the data and
  would call the next sync good.
"""

from __future__ import annotations

import errno
import os
import stat as modes

from neosian_cli.disk.calls import REAL, Calls

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Self, TypeVar

    T = TypeVar("T")

DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
CHUNK = 1 << 20
SYNCED_AT_ONCE = 32
"""Directories whose syncs may overlap."""
LARGEST = 2 << 30
"""Bytes that no file has which is read whole: a document of 256 MiB, every character of it escaped, has fewer."""
KEPT_DIRECTORIES = 64
"""Descriptors that a tree keeps: more than any two paths have components, far fewer than a process may have."""


class Unsafe(Exception):
    """A name below the root that is not the plain file or directory that it has to be."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path} {reason}")
        self.path = path
        self.reason = reason


class File:
    """An open plain file. `size` is its size in bytes when it was opened."""

    __slots__ = ("descriptor", "links", "mode", "path", "size")

    def __init__(self, path: str, descriptor: int, status: os.stat_result) -> None:
        self.path = path
        self.descriptor = descriptor
        self.size = status.st_size
        self.links = status.st_nlink
        self.mode = modes.S_IMODE(status.st_mode)

    def read_at(self, offset: int, length: int) -> bytes:
        """Up to `length` bytes from `offset`; fewer only at the file's end."""
        pieces = []
        while length > 0:
            piece = os.pread(self.descriptor, min(length, CHUNK), offset)
            if not piece:
                break
            pieces.append(piece)
            offset += len(piece)
            length -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def read(self, most: int = LARGEST) -> bytes:
        """The whole of it; raises `Unsafe` where it is larger than `most`, as a file with a hole may be."""
        if self.size > most:
            raise Unsafe(self.path, f"has {self.size:,} bytes, more than such a file ever has")
        return self.read_at(0, self.size + 1)

    def chunks(self, offset: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes from `offset` up to `end` (the file's end), in pieces of at most 1 MiB."""
        end = self.size if end is None else end
        while offset < end and (piece := self.read_at(offset, min(CHUNK, end - offset))):
            yield piece
            offset += len(piece)

    def close(self) -> None:
        os.close(self.descriptor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Tree:
    """The files below one root. Paths are relative, joined by `/`, without `.` or `..`; "" is the root itself.

    A tree without a descriptor stands for a root that does not exist: every read finds nothing. The directory
    descriptors used last are kept open until `close`, so a tree must not outlive the hold of the lock that it was made
    for, and a descriptor that `directory` gave is good only until other paths have been looked up.
    """

    def __init__(self, descriptor: int | None, calls: Calls = REAL) -> None:
        self.calls = calls
        self.broken = False
        self._directories: dict[str, int] = {} if descriptor is None else {"": descriptor}
        self._unsynced: dict[str, None] = {}

    @classmethod
    def open(cls, root: str, calls: Calls = REAL) -> Tree:
        """The tree at `root`, which may itself be a link; without a descriptor where there is no such directory."""
        try:
            descriptor = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        except FileNotFoundError:
            return cls(None, calls)
        return cls(descriptor, calls)

    @property
    def exists(self) -> bool:
        return "" in self._directories

    def close(self) -> None:
        for descriptor in self._directories.values():
            os.close(descriptor)
        self._directories = {}

    # Reading

    def directory(self, path: str) -> int | None:
        """The descriptor of a directory, owned by this tree; None where there is none. Raises `Unsafe`."""
        known = self._directories.get(path)
        if known is not None and path:
            self._directories[path] = self._directories.pop(path)
        if known is not None or not path:
            return known
        parent, _, name = path.rpartition("/")
        above = self.directory(parent)
        if above is None:
            return None
        try:
            descriptor = os.open(name, DIRECTORY, dir_fd=above)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in (errno.ENOTDIR, errno.ELOOP):
                raise Unsafe(path, "is not a directory") from None
            error.filename = path
            raise
        if os.fstat(descriptor).st_uid != os.geteuid():
            os.close(descriptor)
            raise Unsafe(path, "belongs to another user")
        self._directories[path] = descriptor
        if len(self._directories) > KEPT_DIRECTORIES:
            oldest = next(kept for kept in self._directories if kept)
            os.close(self._directories.pop(oldest))
        return descriptor

    def open_file(self, path: str) -> File | None:
        """A plain file of this user; None where there is no such name. Raises `Unsafe`."""
        parent, _, name = path.rpartition("/")
        above = self.directory(parent)
        if above is None:
            return None
        try:
            descriptor = os.open(name, FILE, dir_fd=above)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.ENXIO, errno.ENODEV):
                raise Unsafe(path, "is a link or a special file") from None
            error.filename = path
            raise
        status = os.fstat(descriptor)
        reason = _objection(status)
        if reason:
            os.close(descriptor)
            raise Unsafe(path, reason)
        return File(path, descriptor, status)

    def read(self, path: str) -> bytes | None:
        """The whole of a plain file; None where there is no such name. Raises `Unsafe`."""
        file = self.open_file(path)
        if file is None:
            return None
        with file:
            return file.read()

    def status(self, path: str) -> os.stat_result | None:
        """What `lstat` says of a name; None where there is no such name."""
        parent, _, name = path.rpartition("/")
        above = self.directory(parent)
        if above is None:
            return None
        try:
            return os.stat(name or ".", dir_fd=above, follow_symlinks=False)
        except FileNotFoundError:
            return None
        except OSError as error:
            error.filename = path
            raise

    def entries(self, path: str) -> list[tuple[str, bool]]:
        """Names in a directory and whether each is a directory (a link never is), unordered. Raises `Unsafe`."""
        descriptor = self.directory(path)
        if descriptor is None:
            return []
        with os.scandir(descriptor) as found:
            return [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in found]

    # Writing

    def make_directories(self, path: str) -> int:
        """The descriptor of a directory that is made, with its parents, where it is missing.

        The parent of each new directory is owed a sync, see `sync_together`.
        """
        found = self.directory(path)
        if found is not None:
            return found
        parent, _, name = path.rpartition("/")
        above = self.make_directories(parent)
        self._guarded(path, self.calls.make_directory, name, above)
        self._unsynced[parent] = None
        made = self.directory(path)
        if made is None:
            raise FileNotFoundError(errno.ENOENT, "vanished while it was made", path)
        return made

    def create(self, path: str) -> File:
        """A new, empty file in a directory that exists; its directory is owed a sync."""
        above, name = self._place(path)
        descriptor = self._guarded(path, self.calls.create, name, above)
        self._owe(path)
        return File(path, descriptor, os.fstat(descriptor))

    def open_for_change(self, path: str) -> File | None:
        """As `open_file`, to be written to."""
        parent, _, name = path.rpartition("/")
        above = self.directory(parent)
        if above is None:
            return None
        try:
            descriptor = self.calls.open_existing(name, above)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EISDIR, errno.ENXIO, errno.ENODEV):
                raise Unsafe(path, "is not a plain file") from None
            self.broken = True
            error.filename = path
            raise
        status = os.fstat(descriptor)
        reason = _objection(status)
        if reason:
            os.close(descriptor)
            raise Unsafe(path, reason)
        return File(path, descriptor, status)

    def write(self, file: File, pieces: Iterable[bytes], offset: int = 0) -> int:
        """Write all pieces one after the other from `offset` on; the offset after the last byte."""
        for piece in pieces:
            view = memoryview(piece)
            while view:
                written = self._guarded(file.path, self.calls.write, file.descriptor, view, offset)
                if not written:
                    self.broken = True
                    raise OSError(errno.EIO, "nothing was written", file.path)
                view = view[written:]
                offset += written
        return offset

    def truncate(self, file: File, size: int) -> None:
        self._guarded(file.path, self.calls.truncate, file.descriptor, size)

    def sync(self, file: File) -> None:
        self._guarded(file.path, self.calls.sync_file, file.descriptor)

    def move(self, path: str, new_path: str) -> None:
        """Rename a file over whatever file has the new name; the new name's directory is owed a sync."""
        above, name = self._place(path)
        new_above, new_name = self._place(new_path)
        self._guarded(new_path, self.calls.rename, name, above, new_name, new_above)
        self._owe(new_path)

    def remove(self, path: str) -> bool:
        """Unlink a name, whatever it is but a directory; whether it was there. Its directory is owed a sync."""
        parent, _, name = path.rpartition("/")
        above = self.directory(parent)
        if above is None or self.status(path) is None:
            return False
        self._guarded(path, self.calls.unlink, name, above)
        self._owe(path)
        return True

    def sync_directory(self, path: str) -> None:
        self._unsynced.pop(path, None)
        self._guarded(path, self.calls.sync_directory, self._existing(path))

    def sync_together(self, files: Sequence[File], *, apart_from: str) -> None:
        """Sync files, and every directory that is owed one but `apart_from`, which the caller syncs at its own time."""
        waiting = [file.descriptor for file in files]
        owed = [path for path in self._unsynced if path != apart_from]
        while waiting or owed:
            # Descriptors of their own: looking up one directory may close that of another.
            directories = [os.dup(self._existing(path)) for path in owed[:SYNCED_AT_ONCE]]
            try:
                self._guarded(apart_from, self.calls.sync_together, waiting, directories)
            finally:
                for descriptor in directories:
                    os.close(descriptor)
            for path in owed[:SYNCED_AT_ONCE]:
                del self._unsynced[path]
            waiting, owed = [], owed[SYNCED_AT_ONCE:]

    def owe_way(self, path: str) -> None:
        """Owe a sync to every directory that there is on the way to a name."""
        while path:
            path = path.rpartition("/")[0]
            if self.directory(path) is not None:
                self._unsynced[path] = None

    def sync_way(self, path: str) -> None:
        """Sync those directories on the way to a name that are owed it."""
        while path:
            path = path.rpartition("/")[0]
            if path in self._unsynced:
                self.sync_directory(path)

    def check_writable(self, path: str) -> None:
        """Raise OSError or `Unsafe` where no name could be made in a directory, or in the nearest above that exists."""
        while (descriptor := self.directory(path)) is None and path:
            path = path.rpartition("/")[0]
        if descriptor is None:
            return
        if not os.access(".", os.W_OK | os.X_OK, dir_fd=descriptor, effective_ids=True):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        if os.fstat(descriptor).st_dev != os.fstat(self._directories[""]).st_dev:
            raise Unsafe(path, "lies on another file system than the root")

    def _owe(self, path: str) -> None:
        self._unsynced[path.rpartition("/")[0]] = None

    def _existing(self, path: str) -> int:
        descriptor = self.directory(path)
        if descriptor is None:
            raise FileNotFoundError(errno.ENOENT, "no such directory", path)
        return descriptor

    def _place(self, path: str) -> tuple[int, str]:
        parent, _, name = path.rpartition("/")
        return self._existing(parent), name

    def _guarded(self, path: str, call: Callable[..., T], *arguments: object) -> T:
        """Make a changing call, unless one has failed before; a failure breaks the tree and names the path."""
        if self.broken:
            raise OSError(errno.EIO, "nothing is written after a failed write")
        try:
            return call(*arguments)
        except OSError as error:
            self.broken = True
            error.filename, error.filename2 = path, None
            raise


def _objection(status: os.stat_result) -> str | None:
    """Why a file of this status is not read, or None."""
    if not modes.S_ISREG(status.st_mode):
        return "is not a plain file"
    if status.st_uid != os.geteuid():
        return "belongs to another user"
    return None
