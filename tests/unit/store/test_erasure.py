"""Erased text is in no file below the root: not after the verb, and not after a crash at any step and a recovery."""

from __future__ import annotations

import itertools
import shutil
import tracemalloc

import pytest

from neosian_cli.disk.calls import REAL, Calls
from neosian_cli.errors import Failure
from neosian_cli.model import mount as mounts
from neosian_cli.services import memory_erasure
from neosian_cli.store import erasure, layout
from neosian_cli.store.seal import unseal
from tests.contract.files import Files

MOUNT = mounts.make("project", "user:me")
ME = "cli:me"
SECRET = "swordfish"
QUOTED = 'sword"fish\n\u2028ü'


class Crash(BaseException):
    pass


def dying(at: int, *, after: bool = False) -> Calls:
    """Calls of which the one with the number `at`, and all after it, do not happen; `after`: that one still does."""
    count = itertools.count()

    class Dying(Calls):
        def __getattribute__(self, name):
            real = object.__getattribute__(self, name)

            def call(*arguments):
                number = next(count)
                if number >= at + after:
                    raise Crash
                return real(*arguments)

            return call

    return Dying()


def filled(root, *, large: bool = False) -> Files:
    """Secrets in bodies and extra of live, deleted, renamed, large and nested documents."""
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    files = Files(str(root), lambda: next(clock))
    files.write(MOUNT, "a", f"one {SECRET}", actor=ME, extra={"k": SECRET})
    files.write(MOUNT, "a", f"two {QUOTED}", actor=ME)
    files.write(MOUNT, "gone", SECRET, actor=ME)
    files.delete(MOUNT, "gone", actor=ME)
    files.write(MOUNT, "moved", SECRET, actor=ME)
    files.rename(MOUNT, "moved", MOUNT, "deep/er/there", actor=ME)
    files.write(MOUNT, "large", f"{SECRET}\n" * (150_000 if large else 50), actor=ME)
    for number in range(30):
        files.write(MOUNT, "long", f"{number} {SECRET} " * 9, actor=ME)
    return files


def test_one_document_takes_its_text_with_it(tmp_path):
    files = filled(tmp_path / "root")
    assert files.holds(QUOTED)
    files.erase(MOUNT, "a", actor=ME, apply=True)
    assert files.holds(QUOTED) == []
    assert not any("/a.json" in path for path in files.holds(SECRET))
    assert files.holds(SECRET)


def test_a_scope_takes_all_of_it(tmp_path):
    files = filled(tmp_path / "root", large=True)
    files.write(mounts.make("inner", "user:me/proj:erp"), "a", "inner stays", actor=ME)
    before = files.erase(MOUNT, None, actor=ME, whole=True)
    made = files.erase(MOUNT, None, actor=ME, apply=True, whole=True)
    assert (made["documents"], made["versions"]) == (before["documents"], before["versions"]) == (4, 38)
    assert files.holds(SECRET) == files.holds(QUOTED) == []
    assert files.holds("inner stays")
    assert all(row["erased"] for path in ("gone", "moved", "long") for row in files.history(MOUNT, path))


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_a_crash_at_every_step_leaves_all_or_nothing(tmp_path, whole, after):
    """After the recovery the secret is either untouched, or in no byte of any file."""
    filled(tmp_path / "original")
    path = None if whole else "long"
    outcomes = set()
    for step in itertools.count():
        files = filled_copy(tmp_path)
        files.calls = dying(step, after=after)
        try:
            files.erase(MOUNT, path, actor=ME, apply=True, whole=whole)
            finished = True
        except Crash:
            finished = False
        files.calls = REAL
        rows = files.history(MOUNT, "long")
        outcomes.add(rows[0]["erased"])
        where = [name for name in files.holds(SECRET) if whole or "/long.json" in name or ".transactions" in name]
        if rows[0]["erased"]:
            assert where == []
            assert files.feed(MOUNT)[-1]["kind"] == f"state.{'scope' if whole else 'document'}_erased"
        else:
            assert not any(row["erased"] for row in rows)
            assert not any(".transactions" in name for name in where)
            assert files.feed(MOUNT)[-1]["kind"] == "state.document_modified"
        if finished:
            break
    assert outcomes == {False, True}
    assert step > 15


def filled_copy(tmp_path) -> Files:
    shutil.rmtree(tmp_path / "root", ignore_errors=True)
    shutil.copytree(tmp_path / "original", tmp_path / "root")
    return Files(str(tmp_path / "root"), lambda: 1_800_000_000_000_000)


def test_a_recovery_that_crashes_too(tmp_path):
    """Every fifth step of the erasure, every step of the recovery after it."""
    filled(tmp_path / "original")
    for step in range(12, 40, 5):
        for again in itertools.count():
            files = filled_copy(tmp_path)
            files.calls = dying(step)
            with pytest.raises(Crash):
                files.erase(MOUNT, "long", actor=ME, apply=True)
            files.calls = dying(again)
            try:
                files.view(MOUNT, "long")
                recovered = True
            except Crash:
                recovered = False
            files.calls = REAL
            erased = files.view(MOUNT, "long")["erased"]
            assert not erased or not any("/long.json" in name for name in files.holds(SECRET))
            if recovered:
                break


def test_what_a_crashed_write_left_is_swept_also_where_all_is_blank(tmp_path):
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    files = Files(str(tmp_path / "root"), lambda: next(clock))
    files.write(MOUNT, "other", "x", actor=ME)
    for step in itertools.count():
        files.calls = dying(step)
        try:
            files.write(MOUNT, "a", SECRET, actor=ME)
            break
        except Crash:
            files.calls = REAL
        if any("~plan" in name for name in files.holds(SECRET)):
            assert files.erase(MOUNT, "a", actor=ME, apply=True)["versions"] == 0
            assert files.holds(SECRET) == []
            return
    pytest.fail("no step left the text in a temporary file")


def test_the_trail_says_who_and_when(tmp_path):
    files = filled(tmp_path / "root")
    files.erase(MOUNT, "a", actor="bot:x", apply=True)
    files.erase(MOUNT, None, actor=ME, apply=True, whole=True)
    trail = (tmp_path / "root" / layout.erasures_file(MOUNT.scope)).read_bytes().splitlines(keepends=True)
    first, second = map(unseal, trail)
    assert (first["path"], first["actor"], first["documents"], first["versions"]) == ("a", "bot:x", 1, 2)
    assert (second["path"], second["actor"]) == (None, ME)
    assert second["sequence"] == len(files.feed(MOUNT))
    assert first["created_at"] < second["created_at"]


def test_a_long_history_is_not_held_in_memory(tmp_path):
    """Memory goes with the size of one version, not with how many there are."""
    clock = itertools.count(1_700_000_000_000_000, 1_000_000)
    files = Files(str(tmp_path / "root"), lambda: next(clock))
    peaks = {}
    for path, versions in (("warm", 1), ("short", 24), ("long", 72)):
        for number in range(versions):
            files.write(MOUNT, path, f"{number:02}" * 100_000, actor=ME)
        tracemalloc.start()
        try:
            assert files.erase(MOUNT, path, actor=ME, apply=True)["versions"] == versions
            peaks[path] = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    assert peaks["long"] < peaks["short"] * 1.2


@pytest.mark.parametrize("damage", ["row", "stray", "no history"])
def test_what_cannot_be_read_is_not_passed_over(tmp_path, damage):
    files = filled(tmp_path / "root")
    top = tmp_path / "root" / layout.scope_directory(MOUNT.scope)
    if damage == "row":
        file = top / "versions/a.jsonl"
        file.write_bytes(file.read_bytes().replace(b"swordfish", b"swordfisk", 1))
    elif damage == "stray":
        (top / "documents/notes.txt").write_text("what is this")
    else:
        (top / "versions/long.jsonl").unlink()
    before = files.holds(SECRET)
    for apply in (False, True):
        with pytest.raises(Failure) as caught:
            files.erase(MOUNT, None, actor=ME, apply=apply, whole=True)
        assert caught.value.code == "document_corrupt"
    assert files.holds(SECRET) == before


def test_looking_makes_nothing(tmp_path):
    files = Files(str(tmp_path / "root"), lambda: 0)
    assert files.erase(MOUNT, "a", actor=ME, apply=True)["versions"] == 0
    assert files.erase(MOUNT, None, actor=ME, whole=True)["versions"] == 0
    assert not (tmp_path / "root").exists()


def test_every_path_is_told_of(tmp_path):
    files = filled(tmp_path / "root")
    seen = []
    memory_erasure.erase(files.store, MOUNT, None, actor=ME, whole=True, advance=lambda: seen.append(1))
    with files.store.reading() as tree:
        paths = list(erasure.all_paths(tree, MOUNT.scope))
    assert paths == ["a", "deep/er/there", "gone", "large", "long", "moved"]
    assert len(seen) == len(paths)
