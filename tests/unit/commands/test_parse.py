import pytest

from neosian_cli.commands.parse import parse, split_rest
from tests.cli.playground import VERBS

SHOW = VERBS[0]
NEED = VERBS[1]
HOLD = VERBS[-1]


def given(*words, verb=SHOW):
    raw = parse(verb, words)
    return None if raw is None else {key: value for key, value in raw.items() if value not in (None, [])}


@pytest.mark.parametrize(
    ("words", "raw"),
    [
        ((), {}),
        (("/a",), {"path": "/a"}),
        (("/a", "--limit", "3"), {"path": "/a", "limit": "3"}),
        (("--limit=3", "/a", "-q"), {"path": "/a", "limit": "3", "quiet": True}),
        (("--limit", "-3"), {"limit": "-3"}),
        (("--limit", "1", "--limit", "2"), {"limit": "2"}),
        (("--extra", "a=b", "--extra=c=d"), {"extra": ["a=b", "c=d"]}),
        (("--content", "--help"), {"content": "--help"}),
        (("--content", "--"), {"content": "--"}),
        (("--content=",), {"content": ""}),
        (("--", "--limit"), {"path": "--limit"}),
        (("-",), {"path": "-"}),
        (("",), {"path": ""}),
        (("--all", "--json"), {"all": True, "json": True}),
    ],
)
def test_what_is_well_formed(words, raw):
    assert given(*words) == raw


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("-h",),
        ("/a", "/b"),
        ("--limit",),
        ("--nope",),
        ("--lim", "3"),
        ("--all=1",),
        ("-q=1",),
        ("-qx",),
        ("-5",),
        ("---",),
        ("--=x",),
    ],
)
def test_what_is_left_to_others(words):
    assert parse(SHOW, words) is None


def test_repeated_arguments():
    assert given("ns", "a", "b", "--must", "x", verb=NEED) == {"ns": "ns", "id": ["a", "b"], "must": "x"}
    assert parse(NEED, ["ns"]) is None


def test_rest():
    assert split_rest(HOLD, ["--root", "x", "--", "ls", "--", "-l"]) == (["--root", "x"], ["ls", "--", "-l"])
    assert split_rest(HOLD, ["ls"]) == (["ls"], None)
    assert split_rest(SHOW, ["a", "--", "b"]) == (["a", "--", "b"], None)
