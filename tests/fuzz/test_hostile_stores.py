"""A store put together by an enemy, as a whole: it leads nowhere else, hangs nothing, and controls no terminal.

Every kind of thing in every place of the layout, every value of every file forged by one who knows the format, all
verbs: an answer or a typed error. `make search` tries them all; otherwise each thing meets some places and verbs.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
import shutil
import stat
from typing import TYPE_CHECKING, Any

import pytest

from tests.cli.process import NEOSIAN
from tests.cli.process import call as call_process
from tests.fuzz import playthings
from tests.fuzz.forgery import EVIL, Forged, forgeries, sealed_plan
from tests.fuzz.playthings import FOR_ROOT, OBJECTS, READS, WRITES, Sample
from tests.fuzz.witness import Seen, Watch, call
from tests.samples import SCOPE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SEARCH = bool(os.environ.get("NEOSIAN_SEARCH"))
SEED = 20260102
PLACES = 100 if SEARCH else 9
"""At most so many places for each thing; and so many verbs in each."""
VERBS = 100 if SEARCH else 3
SHARDS = 8
FORGERIES = 10_000 if SEARCH else 22
"""For each of the shards."""
USERS_OWN = ("config.yaml", "job.cursor", "store")
"""Names in the home that may be links, as whoever calls is who made them."""
NO_BYTES = hashlib.sha256(b"").hexdigest()
PLAN = {
    "format": 1,
    "id": "p",
    "created_at": "2026-01-02T03:04:05.000000Z",
    "verb": "memory write",
    "steps": [
        {"do": "put", "path": "semantic/s/x", "text": "planned"},
        {"do": "append", "path": "semantic/s/y", "offset": 0, "before": NO_BYTES, "text": "row\n"},
        {"do": "adopt", "path": "semantic/s/a", "staged": "~1", "size": 3, "sha256": "0" * 64},
        {"do": "remove", "path": "semantic/s/z"},
    ],
}  # fmt: skip
CASES = [*OBJECTS, *(FOR_ROOT if os.geteuid() == 0 else ())]


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Sample:
    return Sample(tmp_path_factory.mktemp("hostile") / "sample")


def fresh(sample: Sample, home: Path) -> None:
    if home.exists():
        for path in (home, *home.rglob("*")):
            if path.is_dir() and not path.is_symlink():
                path.chmod(0o700)
        shutil.rmtree(home)
    shutil.copytree(sample.home, home)


class Outside:
    """A good copy of the home beside it: what every link of an enemy leads to."""

    def __init__(self, sample: Sample, place: Path) -> None:
        self.place = place
        shutil.copytree(sample.home, place)
        self.watch = Watch(place)
        self.before = self.look()

    def look(self) -> dict[Path, tuple[Any, ...]]:
        found = {}
        for path in sorted(self.place.rglob("*")):
            status = path.lstat()
            whole = path.read_bytes() if stat.S_ISREG(status.st_mode) and status.st_size < 1 << 20 else None
            found[path] = (stat.S_IMODE(status.st_mode), status.st_uid, status.st_size, whole)
        return found

    def settle(self) -> None:
        """From here on this is what it has to stay."""
        self.before = self.look()
        self.watch.events()

    def check(self, seen: Seen) -> None:
        """Nothing in it was opened, and nothing has become something else."""
        assert not self.watch.events(), seen
        assert self.look() == self.before, seen
        self.settle()


@pytest.fixture
def outside(sample: Sample, tmp_path: Path) -> Iterator[Outside]:
    made = Outside(sample, tmp_path / "outside")
    yield made
    made.watch.close()


def chosen(everything: list[Any], number: int, *seed: object) -> list[Any]:
    """Some of it, others for every seed, the same in every run."""
    # Addresses of functions and names made of UUIDs are others in every run.
    source = random.Random(re.sub(r"0x[0-9a-f]+|[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", "", f"{SEED}{seed}"))
    return source.sample(everything, min(number, len(everything)))


@pytest.mark.parametrize("make", CASES, ids=lambda make: make.__name__)
def test_a_thing_in_the_place_of_another(
    sample: Sample, outside: Outside, tmp_path: Path, make: Callable[[Path, Path], None]
) -> None:
    home = tmp_path / "home"
    for place in chosen(sample.places(), PLACES, make.__name__):
        verbs = [*chosen(list(READS), VERBS, make, place), *chosen(list(WRITES), VERBS - 1, place, make)]
        spoilt = True
        for verb in verbs:
            if spoilt:
                fresh(sample, home)
                make(home / place, outside.place / place)
                if make is playthings.foreign and str(place) == "store":
                    os.chown(home / place, 0, 0)
                outside.watch.events()
            seen = call(home, sample.words(home, verb), SCOPE)
            seen.check()
            if str(place) in USERS_OWN:
                outside.settle()
            else:
                outside.check(seen)
            spoilt = verb in WRITES
    fresh(sample, home)


@pytest.fixture(scope="module")
def forged(sample: Sample) -> list[Forged]:
    """All forgeries, those of a pending plan too, which no sample may have."""
    pending = sample.store / ".transactions/pending.json"
    pending.write_bytes(sealed_plan(PLAN))
    try:
        every = list(forgeries(sample.home))
    finally:
        pending.unlink()
    random.Random(SEED).shuffle(every)
    return every


@pytest.mark.parametrize("shard", range(SHARDS))
def test_values_forged_under_a_good_checksum(sample: Sample, forged: list[Forged], tmp_path: Path, shard: int) -> None:
    home = tmp_path / "home"
    for forgery in forged[shard::SHARDS][:FORGERIES]:
        verbs = [*chosen(_reading(forgery), VERBS + 1, shard, forgery), *chosen(list(WRITES), 2, forgery, shard)]
        spoilt = True
        for verb in verbs:
            if spoilt:
                fresh(sample, home)
                if forgery.file.name == "pending.json":
                    pending = home / forgery.file
                    pending.write_bytes(sealed_plan(PLAN))
                    pending.chmod(0o600)
                forgery.forge(home)
            seen = call(home, sample.words(home, verb), SCOPE)
            try:
                seen.check()
            except AssertionError as error:
                error.add_note(repr(forgery))
                raise
            spoilt = verb in WRITES


def _reading(forgery: Forged) -> list[tuple[str, ...]]:
    """The reading verbs that meet the forged file, and `verify` and `status`, which meet all."""
    parts = forgery.file.parts
    groups = ["semantic"] if "semantic" in parts else ["changes", "memory", "messages"]
    return [verb for verb in READS if verb[0] in (*groups, "status", "verify")]


def test_escapes_in_every_text_that_a_user_may_write(sample: Sample, tmp_path: Path) -> None:
    """What verbs take as it is comes back with nothing in it that a terminal obeys."""
    home = tmp_path / "home"
    fresh(sample, home)
    evil = EVIL.replace("\0", "")
    one, two = "11111111-0000-4000-8000-000000000000", "22222222-0000-4000-8000-000000000000"
    (tmp_path / "record").write_text(json.dumps({"id": "e", "content": evil, "metadata": {evil: evil}, "source": evil}))
    for words in (
        ("memory", "write", "/memories/evil", "--content", evil, "--extra", f"why={evil}"),
        ("messages", "send", "--body", evil, "--source", evil, "--change-id", evil, "--id", one),
        ("messages", "send", "--body", evil, "--actionable", "--id", two),
        ("semantic", "upsert", "facts", "--records", str(tmp_path / "record")),
    ):
        call(home, words, SCOPE).check()
    for verb in (
        *READS,
        ("memory", "view", "/memories/evil"),
        ("memory", "versions", "/memories/evil", "--bodies"),
        ("memory", "diff", "/memories/evil"),
        ("messages", "view", one),
        ("messages", "view", two, "--json"),
        ("semantic", "get", "facts", "e"),
        ("semantic", "get", "facts", "e", "--json"),
        ("semantic", "search", "facts", evil),
        ("memory", "view", evil),
        ("messages", "view", evil, "--json"),
        ("semantic", "get", evil, evil),
        (evil,),
        ("memory", evil),
        ("memory", "list", f"--{evil}", "--json"),
        ("memory", "list", "--actor", evil),
        ("memory", "list", "--root", evil.replace("/", "")),
    ):
        seen = call(home, sample.words(home, verb), SCOPE)
        seen.check()


def test_the_real_process(sample: Sample, tmp_path: Path) -> None:
    """Many things at once, and nothing but the program around them."""
    home = tmp_path / "home"
    fresh(sample, home)
    below = home / "store/scopes/user%3Ame/proj%3Aerp"
    nowhere = tmp_path / "nowhere"
    for number, make in enumerate((playthings.fifo, playthings.deep, playthings.link, playthings.sparse)):
        shutil.copy(below / "documents/notes/b.json", below / f"documents/notes/c{number}.json")
        make(below / f"documents/notes/c{number}.json", nowhere)
    playthings.crowd(below / "documents/messages", nowhere)
    playthings.unix_socket(below / ".mailbox/open.log", nowhere)
    playthings.no_utf_8(home / "store/semantic/facts/records/00000000000000000001.seg", nowhere)
    playthings.link_to_itself(home / "store/semantic/facts/derived/catalogue.json", nowhere)
    for verb in chosen(list(READS), 100 if SEARCH else 8, "process") + chosen(list(WRITES), VERBS, "process"):
        done = call_process(
            NEOSIAN,
            *sample.words(home, verb),
            env={"NEOSIAN_HOME": str(home), "NEOSIAN_SCOPE": SCOPE, "LOGNAME": "me", "NO_COLOR": "1"},
        )
        Seen(verb, done.returncode, done.stdout, done.stderr).check()
    assert not nowhere.exists()
