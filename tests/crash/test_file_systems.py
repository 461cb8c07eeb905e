"""File systems that are full or read-only, in earnest."""

from __future__ import annotations

import contextlib
import os
from typing import TYPE_CHECKING

import pytest

from neosian_cli.errors import Failure
from neosian_cli.store import documents
from tests.crash import layers, scenarios
from tests.crash.mounts import in_memory, mounted, run
from tests.crash.scenarios import SCOPE, open_store, write
from tests.crash.seam import Stop
from tests.crash.trial import Bench, leftovers, snapshot, stopped

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.root


def fill(place: str, *, leave: int = 0) -> str:
    """Use up all room but so many bytes."""
    name = f"{place}/filler"
    with open(name, "wb", buffering=0) as file:
        with contextlib.suppress(OSError):
            while file.write(bytes(4096)):
                pass
        file.truncate(max(0, file.tell() - leave))
    return name


def content(root: str, path: str) -> str | None:
    with open_store(root).reading() as tree:
        document, _ = documents.read(tree, SCOPE, path)
        return None if document is None else document.content


def test_no_room_for_the_plan(tmp_path: Path) -> None:
    with in_memory(str(tmp_path), 256 << 10) as place:
        root = f"{place}/root"
        write("a", "one")(open_store(root))
        before = snapshot(root)
        filler = fill(place)
        with pytest.raises(Failure) as caught:
            write("a", "two")(open_store(root, seed=2))
        assert (caught.value.code, caught.value.details["committed"]) == ("io_error", False)
        assert snapshot(root) == before
        assert content(root, "a") == "one"
        os.unlink(filler)
        write("a", "three")(open_store(root, seed=3))
        assert content(root, "a") == "three"
        assert leftovers(root) == []


@pytest.mark.parametrize("pages", range(2, 9))
def test_no_room_for_the_targets(tmp_path: Path, pages: int) -> None:
    """A document of two pages needs three for its plan and twice as many for itself and its history."""
    with in_memory(str(tmp_path), 512 << 10) as place:
        root = f"{place}/root"
        write("a", "one")(open_store(root))
        filler = fill(place, leave=pages * 4096)
        try:
            write("a", "two " * 2000)(open_store(root, seed=2))
        except Failure as failure:
            made = failure.details["committed"]
            if made:
                torn = snapshot(root)
                with pytest.raises(Failure, match="No space left"):
                    content(root, "a")
                assert torn.keys() <= snapshot(root).keys()
        else:
            made = True
        os.unlink(filler)
        assert content(root, "a") == ("two " * 2000 if made else "one")
        write("a", "three")(open_store(root, seed=3))
        assert leftovers(root) == []


def remounted(place: str, how: str) -> None:
    run("mount", "-o", f"remount,{how}", place)


def test_read_only(tmp_path: Path) -> None:
    with mounted(str(tmp_path), "ext4") as disk:
        root = f"{disk.point}/root"
        write("a", "one")(open_store(root))
        remounted(disk.point, "ro")
        assert content(root, "a") == "one"
        for act in (write("a", "two"), write("new", "two")):
            with pytest.raises(Failure) as caught:
                act(open_store(root, seed=2))
            assert (caught.value.code, caught.value.exit_status) == ("read_only", 6)
        with pytest.raises(Failure) as caught:
            write("a", "two")(open_store(f"{disk.point}/absent", seed=2))
        assert caught.value.code == "read_only"
        assert content(f"{disk.point}/absent", "a") is None
        remounted(disk.point, "rw")
        os.unlink(f"{root}/.lock")
        remounted(disk.point, "ro")
        assert content(root, "a") == "one"


def test_read_only_with_a_plan_pending(tmp_path: Path) -> None:
    with mounted(str(tmp_path), "ext4") as disk:
        bench = Bench(scenarios.named("overwrite"), f"{disk.point}/bench")
        with bench.root() as root:
            stopped(lambda calls: bench.scenario.run(root, calls), Stop(bench.trace.index("rename") + 3))
            for lock_file in (True, False):
                if not lock_file:
                    os.unlink(f"{root}/.lock")
                remounted(disk.point, "ro")
                before = snapshot(root, everything=True)
                for way in (open_store(root).reading, lambda: open_store(root).writing("memory write")):
                    with pytest.raises(Failure) as caught, way():
                        pytest.fail("was let in")
                    assert (caught.value.code, caught.value.exit_status) == ("recovery_needed", 9)
                assert snapshot(root, everything=True) == before
                remounted(disk.point, "rw")
            layers.recover(root, scenarios.REAL)
            bench.judge(root, "writable again", only=bench.after)


def test_another_file_system_below_the_root(tmp_path: Path) -> None:
    """A file cannot be moved there, so the plan must not be made."""
    with in_memory(str(tmp_path), 256 << 10) as place:
        root = str(tmp_path / "root")
        write("a", "one")(open_store(root))
        notes = f"{root}/{os.path.dirname(next(name for name in snapshot(root) if name.endswith('/a.json')))}/notes"
        os.mkdir(notes, 0o700)
        run("mount", "--bind", place, notes)
        try:
            with pytest.raises(Failure, match="another file system"):
                write("notes/b", "two")(open_store(root, seed=2))
            assert leftovers(root) == []
            assert content(root, "a") == "one"
        finally:
            run("umount", notes)
