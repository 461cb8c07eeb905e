"""One scope's feed as tests of the command see it, and as they know it to be."""

from __future__ import annotations

import json
import shutil
from typing import Any

from neosian_cli.model.cursor import Cursor
from neosian_cli.store import feed as feeds
from neosian_cli.store import layout, log
from neosian_cli.store.documents import ScopeWriter, newest
from tests.cli.process import NEOSIAN, call, start
from tests.samples import SCOPE, open_store, write

MOUNT = "/memories"


class Feed:
    """`commands` run as real processes; what stands beside them is read and written through the store."""

    def __init__(self, root, scope=SCOPE):
        self.root = root
        self.scope = scope
        self.changes = root / layout.changes_directory(scope)

    # Through the command

    def words(self, *words):
        return (*words, "--root", str(self.root), "--scope", self.scope)

    def run(self, *words, group="changes", **more):
        return call(NEOSIAN, *self.words(*((group,) if group else ()), *words), **more)

    def start(self, *words, **more):
        return start(NEOSIAN, *self.words("changes", *words), **more)

    def json(self, *words, status=0, group="changes") -> Any:
        """The result of a call that ends with `status`."""
        done = self.run(*words, "--json", group=group)
        assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
        assert done.stdout.endswith(b"\n")
        assert done.stdout.count(b"\n") == 1
        return json.loads(done.stdout)

    def refused(self, *words, status, code, reason=None, group="changes"):
        """The details of a failure, which leaves stdout empty."""
        done = self.run(*words, "--json", group=group)
        assert (done.returncode, done.stdout) == (status, b""), (done.returncode, done.stdout, done.stderr)
        error = json.loads(done.stderr)["error"]
        assert (error["code"], error["exit_status"]) == (code, status), error
        assert error["details"].get("reason") == reason, error
        return error

    def read(self, *words, status=0):
        return self.json("read", *words, status=status)

    def lines(self, *words, status=0, **more):
        """The objects of a stream of lines."""
        done = self.run(*words, "--jsonl", **more)
        assert done.returncode == status, (done.returncode, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    # Beside the command

    @property
    def store(self):
        return open_store(self.root)

    def write(self, *paths):
        for path in paths:
            write(self.root, path, "text")

    def write_many(self, path, count):
        """`count` versions of one document in one transaction."""
        with self.store.writing("test") as transaction:
            writer = ScopeWriter(transaction, self.scope, "cli:me")
            row = newest(transaction.tree, self.scope, path)
            for _ in range(count):
                row = writer.write(path, "text", {}, row)
            writer.commit()

    @property
    def head(self):
        with self.store.reading() as tree:
            return feeds.read_head(tree, self.scope)

    def cursor(self, number):
        """P(number), which must be retained, or the floor."""
        with self.store.reading() as tree:
            head = feeds.read_head(tree, self.scope)
            chain = log.Reader(tree, feeds.log_of(self.scope), head).chain_at(number)
        return Cursor(self.scope, head.stream, number, chain).encode()

    def prune(self, number):
        return self.json("prune", "--through", self.cursor(number), "--write")

    def backup(self, to):
        shutil.copytree(self.root, to)

    def restore(self, backup):
        shutil.rmtree(self.root)
        shutil.copytree(backup, self.root)


def sequences(page):
    return [event["sequence"] for event in page["events"]]


def kinds(page):
    return [event["kind"].removeprefix("state.") for event in page["events"]]
