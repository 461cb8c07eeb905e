"""The index that makes itself anew: when it does, what it says of itself, and what becomes of it when it is stopped."""

from __future__ import annotations

import json
import random
import signal
import sys

import pytest

from tests.cli.process import call
from tests.cli.workspace import Workspace

DIMENSIONS = 8
CONFIG = """\
namespaces:
  - block: semantic
    name: notes
    embedder: {provider: fake, dimensions: 8}
    planner: {fetch_up_to: 0, index_from: 1600, index_tail: 20, index_tail_percent: 10, index_dead_percent: 25}
"""
WRAPPED = """\
import errno, os, signal, sys
from neosian_cli.disk import derived
from neosian_cli.store.semantic import construction, index

def struck(*_):
    os.kill(os.getpid(), number)
    raise AssertionError("this is not reached")

def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

def missing(*_):
    raise ImportError("hnswlib is not here", name="hnswlib")

what, number = sys.argv[1], int(sys.argv[2])
if what == "measuring":
    construction._reaches = struck
elif what == "placing":
    publish = derived.publish
    derived.publish = lambda tree, name, *rest: struck() if name.startswith("index-") else publish(tree, name, *rest)
elif what == "naming":
    index.publish = struck
elif what == "full":
    derived.publish = full
elif what == "missing":
    construction.build = missing
del sys.argv[1:3]
from neosian_cli.__main__ import run
sys.exit(run())
"""


class Notes(Workspace):
    """A configured namespace, and loads of generated records into it."""

    def __init__(self, folder):
        super().__init__(folder)
        (self.home / "config.yaml").write_text(CONFIG)
        self.derived = self.root / "semantic" / "notes" / "derived"
        self.chance = random.Random(5)
        self.made = 0

    def ask(self, *words):
        done = self.run("semantic", *words, "--json")
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout)

    def records(self, count):
        lines = []
        for _ in range(count):
            vector = [self.chance.gauss(0, 1) for _ in range(DIMENSIONS)]
            lines.append(json.dumps({"id": f"r{self.made:04d}", "vector": vector, "metadata": {"n": str(self.made)}}))
            self.made += 1
        return "\n".join(lines).encode()

    def load(self, count):
        done = self.run("semantic", "upsert", "notes", "--records", "-", "--json", stdin=self.records(count))
        assert (done.returncode, done.stderr) == (0, b"")
        return json.loads(done.stdout)

    def struck_load(self, count, what, number=0, more=("--json",)):
        """A load whose index meets with something."""
        program = (sys.executable, "-c", WRAPPED, what, str(int(number)))
        words = ("semantic", "upsert", "notes", "--records", "-", *more)
        env = {"HOME": str(self.folder), "NEOSIAN_HOME": str(self.home)}
        return call(program, *words, env=env, input=self.records(count))

    def index(self):
        return self.ask("stats", "notes")["index"]

    def search(self, *words):
        chance = random.Random(11)
        found = []
        for _ in range(5):
            vector = json.dumps([chance.gauss(0, 1) for _ in range(DIMENSIONS)])
            found.append(self.ask("search", "notes", "--vector", vector, "--ids-only", "--explain", *words))
        return found

    def hits(self, *words):
        return [answer["hits"] for answer in self.search(*words)]


@pytest.fixture
def notes(tmp_path):
    return Notes(tmp_path)


def lanes(answers):
    return {answer["explain"]["dense"]["lane"] for answer in answers}


def test_a_load_makes_it_and_searches_go_through_it(notes):
    assert "index" not in notes.load(199)
    assert notes.index() == {"state": "none", "stale": False, "vectors": 0, "rows": 0, "tail": 0, "dead": 0}
    assert "index" not in notes.search()[0]["explain"]
    made = notes.load(101)["index"]
    assert (made["state"], made["rows"], made["vectors"]) == ("current", 300, 300)
    assert notes.index() == {"state": "current", "stale": False, "vectors": 300, "rows": 300, "tail": 0, "dead": 0}
    answers = notes.search()
    assert lanes(answers) == {"index"}
    assert {answer["exact"] for answer in answers} == {False}
    assert "command" not in answers[0]["explain"]["index"]
    assert notes.hits() == notes.hits("--exact")


def test_the_tail(notes):
    notes.load(300)
    assert "index" not in notes.load(33)
    assert notes.index() == {"state": "current", "stale": False, "vectors": 300, "rows": 300, "tail": 33, "dead": 0}
    exact = notes.hits("--exact")
    assert notes.hits() == exact
    one = ("upsert", "notes", "--id", "late", "--vector", "[1,2,3,4,5,6,7,8]")
    assert "index" not in notes.ask(*one)
    state = {"state": "stale", "stale": True, "vectors": 300, "rows": 300, "tail": 34, "dead": 0}
    assert notes.index() == state
    before = notes.search()
    assert before[0]["explain"]["index"] == {**state, "command": "neosian semantic reindex notes"}
    assert lanes(before) == {"index"}
    told = notes.run("semantic", "search", "notes", "--vector", "[1,2,3,4,5,6,7,8]", "--explain").stderr
    assert b"index: state stale" in told
    assert b"hint: neosian semantic reindex notes" in told
    assert notes.load(1)["index"]["rows"] == 335
    assert notes.index()["tail"] == 0
    assert notes.hits() == notes.hits("--exact")


def test_the_dead(notes):
    notes.load(300)
    ids = [f"r{number:04d}" for number in range(75)]
    notes.ask("delete", "notes", *ids)
    assert (notes.index()["dead"], notes.index()["stale"]) == (75, False)
    notes.ask("delete", "notes", "r0075")
    assert (notes.index()["dead"], notes.index()["state"]) == (76, "stale")
    before = notes.hits()
    assert before == notes.hits("--exact")
    assert notes.ask("reindex", "notes")["index"]["vectors"] == 224
    assert notes.index() == {"state": "current", "stale": False, "vectors": 224, "rows": 300, "tail": 0, "dead": 0}
    assert notes.hits() == before


def test_a_compaction_makes_it(notes):
    notes.load(300)
    notes.ask("upsert", "notes", "--id", "r0000", "--vector", "[1,0,0,0,0,0,0,0]")
    before = notes.hits()
    future = ("--history-before", "2999-01-01T00:00:00Z")
    assert "index" not in notes.ask("compact", "notes", *future)
    made = notes.ask("compact", "notes", *future, "--write")
    assert (made["versions"], made["index"]["rows"], made["index"]["vectors"]) == (1, 300, 300)
    assert notes.hits() == before
    assert lanes(notes.search()) == {"index"}
    assert "index" not in notes.ask("compact", "notes", "--write")


@pytest.mark.parametrize("what", ["measuring", "placing", "naming"])
@pytest.mark.parametrize(
    ("number", "status"),
    [(signal.SIGKILL, -9), (signal.SIGINT, 130), (signal.SIGTERM, 143)],
    ids=["kill", "interrupt", "terminate"],
)
def test_stopped_while_it_is_built(notes, what, number, status):
    done = notes.struck_load(300, what, number)
    assert done.returncode == status
    assert done.stdout == b""
    if number != signal.SIGKILL:
        assert json.loads(done.stderr)["error"]["details"]["committed"] is True
    assert notes.ask("stats", "notes")["counts"]["live"] == 300
    assert notes.index() == {"state": "none", "stale": True, "vectors": 0, "rows": 0, "tail": 0, "dead": 0}
    answers = notes.search()
    assert lanes(answers) == {"scan"}
    assert answers[0]["explain"]["index"]["command"] == "neosian semantic reindex notes"
    before = notes.hits()
    assert notes.ask("reindex", "notes")["index"]["state"] == "current"
    assert lanes(notes.search()) == {"index"}
    assert notes.hits() == before
    assert len(list(notes.derived.glob("index-*"))) == 1
    assert not list((notes.root / ".transactions").iterdir())


@pytest.mark.parametrize(("what", "reason"), [("full", "No space left on device"), ("missing", "hnswlib is not here")])
def test_a_failure_after_the_commit_is_no_error(notes, what, reason):
    done = notes.struck_load(300, what)
    assert (done.returncode, done.stderr) == (0, b"")
    result = json.loads(done.stdout)
    assert len(result["ids"]) == 300
    assert result["index"] == {"state": "none", "reason": reason}
    assert notes.index()["stale"] is True
    assert notes.load(1)["index"]["rows"] == 301


def test_people_are_told_of_it(notes):
    done = notes.struck_load(300, "missing", more=())
    assert done.returncode == 0
    assert done.stdout.count(b"\n") == 300
    assert b"no index was made of notes: hnswlib is not here; searches scan its vectors" in done.stderr
