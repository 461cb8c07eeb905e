"""Plans that must not be carried out: exit 9, the file and its SHA-256 named, and nothing touched."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import stat
from typing import TYPE_CHECKING, Any

import pytest

from neosian_cli.errors import Failure
from neosian_cli.journal import plan as plans
from neosian_cli.journal.journal import PENDING
from neosian_cli.store import feed
from neosian_cli.store import root as roots
from tests.crash.scenarios import SCOPE, open_store, write

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

GOOD = {"do": "put", "path": "semantic/s/x", "text": "planned"}
DIGEST = "0" * 64


def sealed(**changes: Any) -> bytes:
    """A plan's bytes with a right checksum, and with some keys changed."""
    value = {"format": 1, "id": "p", "created_at": "t", "verb": "v", "steps": [GOOD], **changes}
    body = json.dumps(value, separators=(",", ":")).encode()[1:]
    return b'{"checksum":"%s",' % hashlib.sha256(body).hexdigest().encode() + body


def tree_of(root: str) -> dict[str, tuple[object, ...]]:
    """Everything below a directory, byte for byte, with kinds, modes and links."""
    found: dict[str, tuple[object, ...]] = {}
    for directory, below, names in os.walk(root):
        for name in below + names:
            path = os.path.join(directory, name)
            status = os.lstat(path)
            content: object = None
            if stat.S_ISREG(status.st_mode) and status.st_size < 1 << 27:
                with open(path, "rb") as file:
                    content = hashlib.file_digest(file, "sha256").digest()
            elif stat.S_ISLNK(status.st_mode):
                content = os.readlink(path)
            found[os.path.relpath(path, root)] = (status.st_mode, status.st_ino, status.st_mtime_ns, content)
    return found


@pytest.fixture
def root(tmp_path: Path) -> str:
    """A store with a document and, to be kept, a temporary file that a sweep would take."""
    root = str(tmp_path / "root")
    write("notes/a", "one")(open_store(root))
    with open(f"{root}/.transactions/~staged", "wb") as file:
        file.write(b"staged")
    os.chmod(f"{root}/.transactions/~staged", 0o600)
    return root


def leave(root: str, data: bytes, mode: int = 0o600) -> None:
    with open(f"{root}/{PENDING}", "wb") as file:
        file.write(data)
    os.chmod(f"{root}/{PENDING}", mode)


def refused(root: str) -> Failure:
    """Every way in refuses alike, and leaves no trace; the refusal."""
    before = tree_of(os.path.dirname(root))
    failures = []
    for way in (
        lambda store: store.reading(),
        lambda store: store.writing("memory write"),
        lambda store: store.held(),
    ):
        with pytest.raises(Failure) as caught, way(open_store(root)):
            pytest.fail("was let in")
        failures.append(caught.value)
    assert {failure.code for failure in failures} == {"plan_refused"}
    assert {failure.exit_status for failure in failures} == {9}
    assert {failure.details["file"] for failure in failures} == {f"{root}/{PENDING}"}
    with open_store(root).looking() as look:
        assert look.plan is None
        assert look.refusal is not None
    assert tree_of(os.path.dirname(root)) == before
    return failures[0]


BAD_PATHS = [
    "/etc/passwd",
    "scopes/../../x",
    "scopes/./x",
    "scopes//x",
    "scopes",
    "scopes/",
    "semantic/a\u0000b",
    "semantic/a b",
    "semantic/ä",
    "semantic/a\\b",
    ".lock",
    ".transactions/pending.json",
    "store.json/x",
    "other/x",
    "",
    7,
    None,
    ["scopes/x"],
]


@pytest.mark.parametrize("do", ["put", "append", "adopt", "remove"])
@pytest.mark.parametrize("path", BAD_PATHS, ids=ascii)
def test_paths_outside_the_store(root: str, path: object, do: str) -> None:
    step = {**GOOD, "do": do, "path": path, "offset": 0, "before": plans.sha256(b"")}
    if do == "adopt":
        step.update(staged="~staged", size=6, sha256=plans.sha256(b"staged"))
    leave(root, sealed(steps=[GOOD, step]))
    assert "outside the store" in refused(root).message


ODD = {
    "empty": (b"", "does not begin"),
    "no JSON": (b"not a plan", "does not begin"),
    "checksum of other bytes": (sealed().replace(b"planned", b"changed"), "checksum"),
    "cut off": (sealed()[:-20], "checksum"),
    "with a tail": (sealed() + b"\n", "checksum"),
    "no checksum first": (b'{"format":1,' + sealed()[1:], "does not begin"),
    "another format": (sealed(format=2), "unknown format 2"),
    "a format that is no number": (sealed(format="1"), "unknown format"),
    "an unknown step": (sealed(steps=[{**GOOD, "do": "chmod"}]), "unknown step"),
    "a step without a path": (sealed(steps=[{"do": "put", "text": ""}]), "not a plan"),
    "a step that is a text": (sealed(steps=["put"]), "not a plan"),
    "steps that are a number": (sealed(steps=7), "not a plan"),
    "a verb that is a number": (sealed(verb=7), "verb that is no text"),
    "one path twice": (sealed(steps=[GOOD, GOOD]), "twice"),
    "a file in a file": (sealed(steps=[GOOD, {**GOOD, "path": "semantic/s/x/y"}]), "would lie in it"),
    "no base64": (sealed(steps=[{"do": "put", "path": "semantic/x", "base64": "!"}]), "not a plan"),
    "an offset below zero": (
        sealed(steps=[{**GOOD, "do": "append", "offset": -1, "before": DIGEST}]),
        "offset that is no count",
    ),
    "an offset that is true": (
        sealed(steps=[{**GOOD, "do": "append", "offset": True, "before": DIGEST}]),
        "offset that is no count",
    ),
    "a staged file elsewhere": (
        sealed(steps=[{"do": "adopt", "path": "semantic/x", "staged": "~../../x", "size": 1, "sha256": DIGEST}]),
        "names the staged file",
    ),
    "a staged file with another name": (
        sealed(steps=[{"do": "adopt", "path": "semantic/x", "staged": "pending.json", "size": 1, "sha256": DIGEST}]),
        "names the staged file",
    ),
    "a staged file that is missing": (
        sealed(steps=[{"do": "adopt", "path": "semantic/x", "staged": "~none", "size": 1, "sha256": DIGEST}]),
        "is missing",
    ),
    "a staged file of another size": (
        sealed(steps=[{"do": "adopt", "path": "semantic/x", "staged": "~staged", "size": 7, "sha256": DIGEST}]),
        "not what the plan says",
    ),
    "a staged file of other bytes": (
        sealed(steps=[GOOD, {"do": "adopt", "path": "semantic/x", "staged": "~staged", "size": 6, "sha256": DIGEST}]),
        "not what the plan says",
    ),
    "a staged append that is missing": (
        sealed(
            steps=[
                {
                    "do": "append",
                    "path": "semantic/x",
                    "offset": 0,
                    "before": plans.sha256(b""),
                    "staged": "~none",
                    "size": 1,
                    "sha256": DIGEST,
                }
            ]
        ),
        "is missing",
    ),
    "an append to a missing file": (
        sealed(steps=[GOOD, {**GOOD, "path": "semantic/log", "do": "append", "offset": 5, "before": DIGEST}]),
        "is missing",
    ),
}


@pytest.mark.parametrize(("data", "reason"), ODD.values(), ids=ODD.keys())
def test_odd_plans(root: str, data: bytes, reason: str) -> None:
    leave(root, data)
    failure = refused(root)
    assert reason in failure.message
    assert failure.details["sha256"] == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o400, 0o700])
def test_another_mode(root: str, mode: int) -> None:
    leave(root, sealed(), mode)
    failure = refused(root)
    assert f"mode {mode:04o}" in failure.message
    assert failure.details["sha256"] == hashlib.sha256(sealed()).hexdigest()


def test_a_second_name(root: str) -> None:
    leave(root, sealed())
    os.link(f"{root}/{PENDING}", f"{root}/../other")
    failure = refused(root)
    assert "second name" in failure.message
    assert failure.details["sha256"] == hashlib.sha256(sealed()).hexdigest()


def test_too_large(root: str) -> None:
    leave(root, b"")
    os.truncate(f"{root}/{PENDING}", plans.MAX_BYTES + 1)
    failure = refused(root)
    assert "larger than a plan can be" in failure.message
    assert failure.details["sha256"] == hashlib.sha256(bytes(plans.MAX_BYTES + 1)).hexdigest()


def test_far_too_large_is_not_read(root: str) -> None:
    leave(root, b"")
    os.truncate(f"{root}/{PENDING}", 1 << 40)
    assert refused(root).details["sha256"] is None


@pytest.mark.parametrize("kind", ["link", "fifo", "directory", "dangling link"])
def test_no_plain_file(root: str, kind: str) -> None:
    path = f"{root}/{PENDING}"
    if kind == "fifo":
        os.mkfifo(path, 0o600)
    elif kind == "directory":
        os.mkdir(path)
    else:
        if kind == "link":
            with open(f"{root}/../elsewhere", "wb") as file:
                file.write(sealed())
        os.symlink("../../elsewhere", path)
    assert refused(root).details["sha256"] is None


def test_a_transaction_directory_that_is_a_link(root: str) -> None:
    shutil.move(f"{root}/.transactions", f"{root}/../moved")
    os.symlink("../moved", f"{root}/.transactions")
    refused(root)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_somebody_elses_plan(root: str) -> None:
    leave(root, sealed())
    os.chown(f"{root}/{PENDING}", 12345, -1)
    assert "another user" in refused(root).message


@pytest.mark.parametrize("do", ["put", "append", "remove"])
def test_a_path_through_a_link(root: str, do: str) -> None:
    os.mkdir(f"{root}/../outside")
    os.mkdir(f"{root}/semantic")
    os.symlink("../../outside", f"{root}/semantic/s")
    leave(root, sealed(steps=[{**GOOD, "do": do, "offset": 0, "before": plans.sha256(b"")}]))
    assert "goes astray" in refused(root).message


@pytest.mark.parametrize("kind", ["link", "fifo", "directory"])
def test_a_target_that_is_no_plain_file(root: str, kind: str) -> None:
    os.makedirs(f"{root}/semantic/s")
    path = f"{root}/semantic/s/x"
    if kind == "link":
        os.symlink("/etc/passwd", path)
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        os.mkdir(path)
    leave(root, sealed(steps=[{**GOOD, "do": "append", "offset": 0, "before": plans.sha256(b"")}]))
    assert "goes astray" in refused(root).message


FOREIGN_TAILS = {
    "another row": b'{"another":"row"}\n',
    "a row and more": b"planned and more",
    "zeros and then something": b"\0\0\0\0\0\0\0\0\0\0x",
    "one byte changed": b"planneX",
}


@pytest.mark.parametrize("tail", FOREIGN_TAILS.values(), ids=FOREIGN_TAILS.keys())
def test_an_append_where_something_else_was_written(root: str, tail: bytes) -> None:
    os.makedirs(f"{root}/semantic/s")
    with open(f"{root}/semantic/s/log", "wb") as file:
        file.write(b"before" + tail)
    step = {**GOOD, "path": "semantic/s/log", "do": "append", "offset": 6, "before": plans.sha256(b"before")}
    leave(root, sealed(steps=[GOOD, step]))
    assert "other bytes stand" in refused(root).message


@pytest.mark.parametrize("present", [b"", b"bef", b"BEFORE", b"BEFOREplanned"])
def test_an_append_to_another_file_than_it_was_made_for(root: str, present: bytes) -> None:
    os.makedirs(f"{root}/semantic/s")
    with open(f"{root}/semantic/s/log", "wb") as file:
        file.write(present)
    step = {**GOOD, "path": "semantic/s/log", "do": "append", "offset": 6, "before": plans.sha256(b"before")}
    leave(root, sealed(steps=[GOOD, step]))
    assert "not the file that it was made for" in refused(root).message


@pytest.mark.parametrize("tail", [b"", b"pl", b"planned", b"\0\0\0\0\0\0\0", b"pl\0\0\0ed", b"planned\0\0\0\0"])
def test_an_append_over_what_an_interruption_leaves(root: str, tail: bytes) -> None:
    os.makedirs(f"{root}/semantic/s")
    with open(f"{root}/semantic/s/log", "wb") as file:
        file.write(b"before" + tail)
    step = {**GOOD, "path": "semantic/s/log", "do": "append", "offset": 6, "before": plans.sha256(b"before")}
    leave(root, sealed(steps=[step]))
    with open_store(root).reading() as tree:
        assert tree.read("semantic/s/log") == b"beforeplanned"
    assert not os.path.exists(f"{root}/{PENDING}")


def test_a_staged_append_that_is_not_finished(root: str) -> None:
    os.makedirs(f"{root}/semantic/s")
    with open(f"{root}/semantic/s/log", "wb") as file:
        file.write(b"before" + b"plan")
    step = {
        "do": "append",
        "path": "semantic/s/log",
        "offset": 6,
        "before": plans.sha256(b"before"),
        "staged": "~none",
        "size": 7,
        "sha256": plans.sha256(b"planned"),
    }
    leave(root, sealed(steps=[step]))
    assert "is not finished" in refused(root).message


def test_a_good_plan_of_bytes_that_are_no_text(root: str) -> None:
    data = bytes(range(256))
    leave(root, sealed(steps=[{"do": "put", "path": "semantic/s/x", "base64": base64.b64encode(data).decode()}]))
    with open_store(root).reading() as tree:
        assert tree.read("semantic/s/x") == data


def test_a_plan_that_vanishes_while_it_is_looked_at(root: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody's hand, not a process of ours, which would hold the lock: there is no plan then."""
    calls: list[Callable[..., object]] = []

    def seen_once(tree: object) -> bool:
        calls.append(seen_once)
        return len(calls) == 1

    monkeypatch.setattr(roots, "plan_is_pending", seen_once)
    with open_store(root).reading() as tree:
        assert tree.exists
    assert len(calls) > 1


def test_damage_elsewhere_does_not_stop_a_plan(root: str) -> None:
    """A plan knows no documents: what else is wrong with the root is no reason to leave it undone."""
    os.unlink(f"{root}/{feed.log_of(SCOPE).head_file}")
    leave(root, sealed())
    with open_store(root).reading() as tree:
        assert tree.read("semantic/s/x") == b"planned"
