"""Every file of a root damaged in every way: a typed error or the right answer, never a traceback, never a hang."""

from __future__ import annotations

import json
import os
import random
import shutil

import pytest

from neosian_cli.app import main
from neosian_cli.signals import Signals
from neosian_cli.surroundings import Surroundings
from tests.samples import SCOPE, write

SEED = 20260102
FLIPS = 400 if os.environ.get("NEOSIAN_SEARCH") else 4
CODES = {
    "document_corrupt",
    "feed_corrupt",
    "not_a_store",
    "format_unsupported",
    "plan_refused",
    "conflict",
    "not_found",
}

READS = {
    "view": ("memory", "view", "/memories/notes/a", "--json"),
    "old": ("memory", "view", "/memories/notes/a", "--version", "1", "--json"),
    "versions": ("memory", "versions", "/memories/notes/a", "--bodies", "--json"),
    "list": ("memory", "list", "--json"),
    "diff": ("memory", "diff", "/memories/notes/a", "--json"),
    "page": ("changes", "read", "--json"),
    "all": ("changes", "read", "--all", "--jsonl"),
    "feed": ("changes", "status", "--json"),
    "stats": ("changes", "stats", "--json"),
    "snapshot": ("changes", "snapshot", "--jsonl"),
    "inbox": ("messages", "list", "--status", "all", "--json"),
    "chain": ("changes", "verify", "--json"),
    "verify": ("verify", "--json"),
    "status": ("status", "--json"),
}
WRITES = {
    "write": ("memory", "write", "/memories/notes/a", "--content", "new", "--json"),
    "delete": ("memory", "delete", "/memories/notes/a", "--json"),
    "erase": ("memory", "erase", "/memories/notes/a", "--write", "--json"),
    "send": ("messages", "send", "--body", "new", "--json"),
}


class Answer:
    """What one command said, run in this process through the real door."""

    def __init__(self, root, words):
        """The root is the default one of a home, so that no answer names it."""
        folder = root.parent
        out, err = folder / "out", folder / "err"
        with out.open("wb") as stdout, err.open("wb") as stderr:
            surroundings = Surroundings(
                {"NEOSIAN_SCOPE": SCOPE, "NEOSIAN_HOME": str(folder), "LOGNAME": "me"},
                stdin=-1,
                stdout=stdout.fileno(),
                stderr=stderr.fileno(),
                now=lambda: 1_800_000_000_000_000,
            )
            self.status = main([*words, "--lock-timeout", "5"], surroundings, Signals())
        self.out = out.read_bytes()
        self.err = err.read_bytes()

    def check(self, name, good, *, is_store=True):
        """A typed error, or what the undamaged root answers, or an answer that names what it could not read.

        A directory that is no store any more may be answered as an empty one.
        """
        assert b"Traceback" not in self.err, self.err
        if self.status == 0 and name in READS and self.out != good:
            value = json.loads(self.out.splitlines()[-1])
            named = value.get("unreadable") or value.get("findings") or name in ("list", "inbox", "status")
            assert named or value.get("gap") == "untracked" or not is_store, (name, self.out, good)
        if self.status not in (0, 3, 9):
            error = json.loads(self.err)["error"]
            assert error["code"] in CODES, error
        elif self.status == 9 and not self.out:
            assert json.loads(self.err)["error"]["code"] in CODES


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """A small root with everything in it, and what each read answers on it."""
    folder = tmp_path_factory.mktemp("sample")
    root = folder / "store"
    for number in range(3):
        write(root, "notes/a", f"body {number}\n")
    write(root, "notes/b", "other\n")
    write(root, "x.json/y", "below\n")
    for words in (("messages", "send", "--body", "hello"), ("messages", "send", "--body", "do it", "--actionable")):
        assert Answer(root, words).status == 0
    assert Answer(root, ("memory", "erase", "/memories/x.json/y", "--write")).status == 0
    answers = {name: Answer(root, words) for name, words in READS.items()}
    for name, answer in answers.items():
        assert answer.status == 0, (name, answer.err)
    return root, {name: answer.out for name, answer in answers.items()}


def files_of(root):
    return sorted(path.relative_to(root) for path in root.rglob("*") if path.is_file() and path.name != ".lock")


def emptied(path, _):
    path.write_bytes(b"")


def truncated(path, seed):
    data = path.read_bytes()
    path.write_bytes(data[: seed.randrange(max(1, len(data)))])


def flipped(path, seed):
    data = bytearray(path.read_bytes())
    data[seed.randrange(len(data))] ^= 1 << seed.randrange(8)
    path.write_bytes(data)


def doubled(path, _):
    path.write_bytes(path.read_bytes() * 2)


def scrambled(path, seed):
    path.write_bytes(seed.randbytes(path.stat().st_size))


def deep(path, _):
    path.write_bytes(b"[" * 100_000)


def huge_number(path, _):
    path.write_bytes(path.read_bytes().replace(b'"version":1', b'"version":' + b"9" * 400).replace(b"1", b"1e400", 1))


def a_link(path, _):
    path.rename(path.with_suffix(".aside"))
    path.symlink_to(path.with_suffix(".aside"))


def a_link_to_itself(path, _):
    path.unlink()
    path.symlink_to(path.name)


def a_fifo(path, _):
    path.unlink()
    os.mkfifo(path)


def a_directory(path, _):
    path.unlink()
    path.mkdir()


def gone(path, _):
    path.unlink()


def newer(path, _):
    path.write_bytes(path.read_bytes().replace(b'"format": 1', b'"format": 2').replace(b'"format":1', b'"format":2'))


DAMAGES = [
    emptied, truncated, flipped, doubled, scrambled, deep, huge_number, a_link, a_link_to_itself, a_fifo, a_directory,
    gone, newer,
]  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_a_damaged_file(sample, tmp_path, damage):
    root, good = sample
    seed = random.Random(f"{SEED}{damage.__name__}")
    rounds = FLIPS if damage in (flipped, truncated) else 1
    for relative in files_of(root):
        for _ in range(rounds):
            copy = tmp_path / "store"
            shutil.copytree(root, copy)
            damage(copy / relative, seed)
            for name, words in READS.items():
                Answer(copy, words).check(name, good[name], is_store=(copy / "store.json").exists())
            name = seed.choice(sorted(WRITES))
            Answer(copy, WRITES[name]).check(name, b"")
            shutil.rmtree(copy)


def test_directories_that_are_something_else(sample, tmp_path):
    root, good = sample
    for relative in sorted(path.relative_to(root) for path in root.rglob("*") if path.is_dir()):
        for make in (lambda path: path.write_text("a file"), os.mkfifo, lambda path: path.symlink_to(tmp_path)):
            copy = tmp_path / "store"
            shutil.copytree(root, copy)
            shutil.rmtree(copy / relative)
            make(copy / relative)
            for name, words in (READS | WRITES).items():
                Answer(copy, words).check(name, good.get(name, b""))
            shutil.rmtree(copy)
