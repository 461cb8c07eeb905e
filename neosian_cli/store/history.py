"""The versions of one path: one sealed line each, oldest first, in a file that survives the document."""

from __future__ import annotations

from neosian_cli.model.document import FORMAT, Version, values
from neosian_cli.model.value import fields
from neosian_cli.store import layout, spelling
from neosian_cli.store.damage import damaged
from neosian_cli.store.lines import Torn, end_of_line, find_line, line_before, lines_from, number_after
from neosian_cli.store.seal import NewerFormat, seal, unseal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from neosian_cli.disk.tree import File, Tree
    from neosian_cli.errors import Failure

_number_of = number_after(b'"version":')


def encode(version: Version) -> bytes:
    """The row as it stands in the file."""
    return seal({"format": FORMAT, **{name: getattr(version, name) for name in fields(Version)}})


def decode(line: bytes, file_path: str, path: str) -> Version:
    """A row of `path`; raises `document_corrupt` or `format_unsupported`."""
    try:
        value = unseal(line)
        row = Version(*values(Version, value))
    except NewerFormat as newer:
        raise damaged(file_path, str(newer), code="format_unsupported") from None
    except (ValueError, KeyError) as error:
        raise damaged(file_path, f"is damaged: a row {error}") from None
    if row.path != path and row.path.casefold() == path.casefold():
        raise spelling.collision(path, row.path)
    if row.path != path:
        raise damaged(file_path, "holds the history of another path")
    return row


class History:
    """An open history, newest version first. Close it, or use it as a context."""

    def __init__(self, path: str, file: File) -> None:
        self._path = path
        self._file = file

    @classmethod
    def open(cls, tree: Tree, scope: str, path: str) -> History | None:
        """None where the path was never written. Raises `Unsafe`."""
        file = tree.open_file(layout.versions_file(scope, path))
        return None if file is None else cls(path, file)

    def __enter__(self) -> History:  # noqa: PYI034
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    @property
    def file_path(self) -> str:
        return self._file.path

    def cut(self, size: int) -> None:
        """From here on only the first `size` bytes count: the file as it stood at an earlier moment."""
        self._file.size = size

    def newest(self) -> Version:
        """The last row; raises `document_corrupt`."""
        if not self._file.size:
            raise self._damaged("is empty")
        return self._before(self._file.size)[1]

    def find(self, number: int) -> Version | None:
        """The row of one version, found without reading the others; None where there is none."""
        try:
            start = find_line(self._file, number, _number_of)
            if start is None:
                return None
            line = self._file.read_at(start, end_of_line(self._file, start) - start)
        except ValueError as error:
            raise self._damaged(f"is damaged: {error}") from None
        return self._decode(line)

    def newest_first(self, below: int | None = None) -> Iterator[Version]:
        """Rows from the newest down, or from below a version number down; each one version below the one before."""
        end = self._file.size
        if below is not None:
            try:
                found = find_line(self._file, below, _number_of)
            except ValueError as error:
                raise self._damaged(f"is damaged: {error}") from None
            end = end if found is None else found
        expected = None
        while end > 0:
            end, row = self._before(end)
            if expected not in (None, row.version):
                raise self._damaged(f"has version {row.version} where {expected} belongs")
            expected = row.version - 1
            yield row
        if expected or not self._file.size:
            raise self._damaged("does not begin with version 1")

    def oldest_first(self) -> Iterator[Version]:
        """Every row in the order of the file, each one version above the one before."""
        expected = 1
        try:
            for _, line in lines_from(self._file):
                row = self._decode(line)
                if row.version != expected:
                    raise self._damaged(f"has version {row.version} where {expected} belongs")
                expected += 1
                yield row
        except Torn as torn:
            raise self._damaged(str(torn)) from None

    def _before(self, end: int) -> tuple[int, Version]:
        try:
            start, line = line_before(self._file, end)
        except Torn as torn:
            raise self._damaged(str(torn)) from None
        return start, self._decode(line)

    def _decode(self, line: bytes) -> Version:
        return decode(line, self._file.path, self._path)

    def _damaged(self, reason: str) -> Failure:
        return damaged(self._file.path, reason)
