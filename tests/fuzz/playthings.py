"""A store with one of everything, every verb on it, and what an enemy puts in the place of a file or a directory."""

from __future__ import annotations

import json
import os
import random
import shutil
import socket
import stat
from typing import TYPE_CHECKING

from tests.fuzz.witness import call
from tests.samples import SCOPE, write

if TYPE_CHECKING:
    from pathlib import Path

MESSAGES = [f"{number:08d}-0000-4000-8000-000000000000" for number in range(1, 5)]
CONFIG = """\
namespaces:
  - block: semantic
    name: facts
    embedder: {provider: fake, dimensions: 8}
    planner: {index_from: 1}
"""
STEP = ("--session", "s", "--occurrence", "1")
MANY = 64
"""Records beside the few: as many as make a graph worth its file."""
VECTOR = "[1,0,0,0,0,0,0,0.5]"

READS: tuple[tuple[str, ...], ...] = (
    ("memory", "list"),
    ("memory", "view", "/memories/notes/a"),
    ("memory", "view", "/memories/notes/a", "--version", "1", "--json"),
    ("memory", "versions", "/memories/notes/a", "--bodies"),
    ("memory", "diff", "/memories/notes/a"),
    ("changes", "read", "--from", "start"),
    ("changes", "read", "--all", "--jsonl"),
    ("changes", "read", "--checkpoint", "{home}/job.cursor"),
    ("changes", "status", "--checkpoint", "{home}/job.cursor"),
    ("changes", "checkpoint", "{home}/job.cursor"),
    ("changes", "stats"),
    ("changes", "snapshot"),
    ("changes", "verify"),
    ("messages", "list", "--status", "all"),
    ("messages", "list", "--status", "unread"),
    ("messages", "view", MESSAGES[2]),
    ("semantic", "namespaces"),
    ("semantic", "search", "facts", "deploy key"),
    ("semantic", "search", "facts", "deploy", "--mode", "sparse", "--json"),
    ("semantic", "get", "facts", "a"),
    ("semantic", "list", "facts", "--include-invalidated"),
    ("semantic", "history", "facts", "a"),
    ("semantic", "stats", "facts"),
    ("status",),
    ("status", "--json"),
    ("verify",),
    ("config", "show"),
    ("config", "check"),
)
WRITES: tuple[tuple[str, ...], ...] = (
    ("memory", "write", "/memories/notes/a", "--content", "new"),
    ("memory", "write", "/memories/notes/new/one", "--content", "new"),
    ("memory", "replace", "/memories/notes/a", "--old", "body", "--new", "soul"),
    ("memory", "insert", "/memories/notes/a", "--line", "0", "--text", "above"),
    ("memory", "delete", "/memories/notes/a"),
    ("memory", "rename", "/memories/notes/a", "/memories/moved/a"),
    ("memory", "revert", "/memories/notes/a", "--version", "3"),
    ("memory", "erase", "/memories/notes/a", "--write"),
    ("memory", "erase", "/memories", "--all", "--write"),
    ("changes", "prune", "--through", "{cursor}", "--write", "--not-past", "{home}/job.cursor"),
    ("changes", "checkpoint", "{home}/job.cursor", "--advance", "{cursor}"),
    ("messages", "send", "--body", "new", "--context", "/memories/notes/a"),
    ("messages", "ack", MESSAGES[0], *STEP),
    ("messages", "claim", MESSAGES[1], *STEP),
    ("messages", "release", MESSAGES[2], *STEP, "--token", "{token}"),
    ("messages", "complete", MESSAGES[2], *STEP, "--token", "{token}", "--outcome", "done"),
    ("messages", "cancel", MESSAGES[1], *STEP),
    ("semantic", "create", "other", "--provider", "fake"),
    ("semantic", "upsert", "facts", "--id", "a", "--content", "new", "--supersedes", "b"),
    ("semantic", "delete", "facts", "a"),
    ("semantic", "delete", "facts", "a", "--hard"),
    ("semantic", "expire", "facts", "--action", "invalidate", "--max-rows", "10"),
    ("semantic", "compact", "facts", "--history-before", "2030-01-01T00:00:00Z", "--write"),
    ("semantic", "reindex", "facts"),
    ("semantic", "drop", "facts", "--write"),
    ("export", "{home}/archive"),
    ("import", "{home}/store", "--root", "{home}/fresh"),
)


STRANGE_NAMES = (
    b"\xff\xfe", b"\x1b[31mred", b"a\nb", b"-rf", b"CON", b"~x", b"n" * 255, b"%2E", b"a\xe2\x80\xaeb", b"\xc2\x9b",
)  # fmt: skip


def _direction(number: int) -> list[float]:
    source = random.Random(number)
    return [source.gauss(0, 1) for _ in range(8)]


class Sample:
    """A home whose store has one of everything; `words` fills in what a verb needs to know of it."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.home.mkdir(parents=True)
        (self.home / "config.yaml").write_text(CONFIG)
        self.store = self.home / "store"
        for number in range(3):
            write(self.store, "notes/a", f"body {number}\n", extra={"why": "because"})
        write(self.store, "notes/b", "other\n")
        write(self.store, "x.json/y", "below\n")
        send = ("messages", "send", "--body", "do it", "--source", "test")
        for name in MESSAGES:
            self.done(*send, "--id", name, *([] if name == MESSAGES[0] else ["--actionable"]))
        self.token = json.loads(self.done("messages", "claim", MESSAGES[2], *STEP, "--json"))["token"]
        self.done("messages", "cancel", MESSAGES[3], *STEP)
        self.done("memory", "erase", "/memories/x.json/y", "--write")
        for name, text in (("a", "the deploy key rotates"), ("b", "credentials change"), ("c", "bread")):
            self.done(
                "semantic", "upsert", "facts", "--id", name, "--content", text, "--metadata", "k=v", "--source", "s"
            )
        self.done("semantic", "upsert", "facts", "--id", "b", "--vector", VECTOR, "--supersedes", "c")
        many = folder / "records"
        many.write_text("\n".join(json.dumps({"id": f"m{n}", "vector": _direction(n)}) for n in range(MANY)))
        self.done("semantic", "upsert", "facts", "--records", str(many))
        self.done("semantic", "reindex", "facts")
        assert list((self.store / "semantic/facts/derived").glob("*.hnsw")), "a graph is part of it"
        self.done("semantic", "search", "facts", "deploy key")
        page = json.loads(self.done("changes", "read", "--from", "start", "--limit", "2", "--json"))
        self.cursor = page["cursor"]
        self.done("changes", "checkpoint", str(self.home / "job.cursor"), "--advance", self.cursor)

    def done(self, *words: str) -> bytes:
        seen = call(self.home, words, SCOPE)
        assert seen.status == 0, seen
        return seen.out

    def words(self, home: Path, verb: tuple[str, ...]) -> tuple[str, ...]:
        known = {"{home}": str(home), "{cursor}": self.cursor, "{token}": self.token}
        filled = []
        for word in verb:
            for name, value in known.items():
                word = word.replace(name, value)  # noqa: PLW2901
            filled.append(word)
        return tuple(filled)

    def places(self) -> list[Path]:
        """Every file and directory below the home, relative to it; the deepest first."""
        return sorted((path.relative_to(self.home) for path in self.home.rglob("*")), key=lambda path: path.parts)


def _clear(place: Path) -> None:
    """Nothing stands there, and its directory is there."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def link(place: Path, twin: Path) -> None:
    _clear(place)
    place.symlink_to(twin)


def link_to_nothing(place: Path, twin: Path) -> None:
    _clear(place)
    place.symlink_to(twin.parent / "not there")


def link_to_itself(place: Path, _: Path) -> None:
    _clear(place)
    place.symlink_to(place.name)


def fifo(place: Path, _: Path) -> None:
    _clear(place)
    os.mkfifo(place, 0o600)


def unix_socket(place: Path, _: Path) -> None:
    _clear(place)
    here = os.open(place.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # A socket's address has room for some hundred characters.
        with socket.socket(socket.AF_UNIX) as made:
            made.bind(f"/proc/self/fd/{here}/{place.name}")
    finally:
        os.close(here)


def device(place: Path, _: Path) -> None:
    """One that gives zeros without end."""
    _clear(place)
    os.mknod(place, 0o600 | stat.S_IFCHR, os.makedev(1, 5))


def the_other_kind(place: Path, _: Path) -> None:
    """A directory in place of a file, a file in place of a directory."""
    was_directory = place.is_dir()
    _clear(place)
    if was_directory:
        place.write_text("{}")
    else:
        place.mkdir()
        (place / "inner.json").write_text("{}")


def hard_link(place: Path, twin: Path) -> None:
    if place.is_file():
        place.unlink()
        os.link(twin, place)


def _content(place: Path, data: bytes) -> None:
    if place.is_file():
        place.write_bytes(data)


def empty(place: Path, _: Path) -> None:
    _content(place, b"")


def nothing_but_nul(place: Path, _: Path) -> None:
    _content(place, b"\0" * 5000)


def no_utf_8(place: Path, _: Path) -> None:
    if place.is_file():
        data = place.read_bytes()
        place.write_bytes(data[: len(data) // 2] + b"\xff\xfe\x9b31m\xc0\x80" + data[len(data) // 2 :])


def deep(place: Path, _: Path) -> None:
    _content(place, b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"\n")


def huge_number(place: Path, _: Path) -> None:
    _content(place, b'{"format":1' + b"0" * 400 + b',"version":' + b"9" * 400 + b"}\n")


def sparse(place: Path, _: Path) -> None:
    """Its own beginning, then 16 GiB of nothing."""
    if place.is_file():
        os.truncate(place, 16 << 30)


def crowd(place: Path, _: Path) -> None:
    """Thousands of names, as strange as names can be."""
    if place.is_dir():
        for number in range(2000):
            (place / f"{number:04d}").touch()
        folder = os.fsencode(place)
        for name in STRANGE_NAMES:
            os.close(os.open(folder + b"/" + name, os.O_CREAT | os.O_WRONLY, 0o600))
            if len(name) < 240:
                for suffix in (b".json", b".jsonl", b".seg"):
                    os.close(os.open(folder + b"/" + name + suffix, os.O_CREAT | os.O_WRONLY, 0o600))
                os.mkdir(folder + b"/d" + name)


def closed(place: Path, _: Path) -> None:
    place.chmod(0)


def open_to_all(place: Path, _: Path) -> None:
    place.chmod(0o777)


def foreign(place: Path, _: Path) -> None:
    os.chown(place, 12345, 12345, follow_symlinks=False)


OBJECTS = (
    link, link_to_nothing, link_to_itself, fifo, unix_socket, the_other_kind, hard_link, empty, nothing_but_nul,
    no_utf_8, deep, huge_number, sparse, crowd, closed, open_to_all,
)  # fmt: skip
FOR_ROOT = (device, foreign)
