from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from neosian_cli.disk.place import file_system, is_network

if TYPE_CHECKING:
    from pathlib import Path

TABLE = r"""1 0 8:1 / / rw - ext4 /dev/a rw
2 1 0:5 / {top}/net\040work rw shared:1 - nfs4 host:/x rw
3 1 0:6 / {top}/net rw - tmpfs none rw
4 1 0:7 / {top}/broken
"""


def test_the_innermost_mount_counts(tmp_path: Path) -> None:
    table = tmp_path / "table"
    table.write_text(TABLE.replace("{top}", str(tmp_path)))
    assert file_system(f"{tmp_path}/net work/a", str(table)) == "nfs4"
    assert file_system(f"{tmp_path}/net/a", str(table)) == "tmpfs"
    assert file_system(f"{tmp_path}/network/a", str(table)) == "ext4"
    assert file_system(f"{tmp_path}/broken/a", str(table)) == "ext4"


def test_where_there_is_no_table(tmp_path: Path) -> None:
    assert file_system("/", str(tmp_path / "none")) is None


@pytest.mark.parametrize(("kind", "network"), [("nfs4", True), ("9p", True), ("ext4", False), (None, False)])
def test_networks(kind: str | None, network: bool) -> None:
    assert is_network(kind) is network
