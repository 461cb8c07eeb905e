"""A hint can be typed as it stands: it finds the same store as the command that it follows."""

from __future__ import annotations

import json
import shlex

import pytest

from neosian_cli.commands.again import spell
from neosian_cli.commands.declare import Option, Verb
from neosian_cli.errors import CODES, HINTS
from tests.cli.process import NEOSIAN, call
from tests.samples import SCOPE, write


def verb(*params):
    return Verb(None, "view", "print a document", run=lambda _: 0, params=params)


def command_of(err):
    """The command of the last line of stderr, as words."""
    hint = err.decode().splitlines()[-1]
    assert hint.startswith("hint: ")
    return shlex.split(hint[hint.index("neosian ") :])[1:]


@pytest.mark.parametrize("folder", ["store", "a store", "it's $HOME", "back\\slash \\1"])
def test_the_command_of_a_hint_runs_as_it_is(tmp_path, folder):
    root = tmp_path / folder
    write(root, "notes/a", "x")
    for words in (("--scope", SCOPE), ("--mount", f"scope={SCOPE},path=memories,ro")):
        refused = call(NEOSIAN, "memory", "view", "/memories/nope", "--root", str(root), *words)
        assert refused.returncode == 5
        done = call(NEOSIAN, *command_of(refused.stderr))
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith(b"/memories/notes/a\t")


def test_a_program_reads_the_same_hint(tmp_path):
    done = call(NEOSIAN, "memory", "view", "/memories/nope", "--root", str(tmp_path), "--scope", SCOPE, "--json")
    hint = json.loads(done.stderr)["error"]["hint"]
    assert hint == f"neosian memory list --root {tmp_path} --scope {SCOPE} /memories"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("memory", "list", "--limit", "0"), "neosian memory list --help"),
        (("memory", "write", "/memories/a b", "--content", "x"), "neosian memory write --help"),
        (("memory", "replace", "/memories/a", "--old", "", "--new", "x"), "neosian memory replace --help"),
        (("changes", "checkpoint", "file", "--force"), "neosian changes checkpoint --help"),
        (("memory", "list", "--config", "/nowhere.yaml"), "neosian docs config"),
        (("lock", "--", "true"), "the first write makes it"),
        (("memory", "delete", "/x/a", "--mount", f"scope={SCOPE},path=x,ro"), "neosian config show"),
        (("memory", "delete", "/x/a", "--mount", f"scope={SCOPE},path=x,eo"), "neosian config show"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_refusal_says_what_to_type_next(tmp_path, words, expected):
    at = 1 if words[0] == "lock" else 2
    scope = () if "--mount" in words else ("--scope", SCOPE)
    done = call(NEOSIAN, *words[:at], "--root", str(tmp_path / "none"), *scope, *words[at:])
    assert done.returncode != 0
    assert done.stdout == b""
    message, hint = done.stderr.decode().splitlines()
    assert message.startswith("neosian: ")
    assert hint.startswith("hint: ")
    assert expected in hint


def test_every_default_hint_is_of_a_code():
    assert set(HINTS) <= set(CODES)
    assert all("{" not in text.format(verb="VERB") for text in HINTS.values())


def test_what_the_environment_chose_is_not_repeated(tmp_path):
    env = {"NEOSIAN_ROOT": str(tmp_path / "store"), "NEOSIAN_SCOPE": SCOPE}
    done = call(NEOSIAN, "memory", "view", "/memories/nope", env=env)
    assert done.stderr.decode().splitlines()[-1] == "hint: neosian memory list /memories"


def test_the_hint_after_a_page_leads_on(tmp_path):
    write(tmp_path / "store", "a", "x")
    chosen = ("--root", str(tmp_path / "store"), "--scope", SCOPE)
    first = call(NEOSIAN, "changes", "read", "--limit", "1", *chosen)
    rest = call(NEOSIAN, *command_of(first.stderr))
    assert [line.split(b"\t")[0] for line in rest.stdout.splitlines()] == [b"2"]


def test_every_command_in_a_hint_and_nothing_else():
    chosen = {"root": "/r", "scope": "user:me", "mount": [], "profile": None}
    assert spell("in two: neosian memory view /a | neosian memory write /b --content -, then on", verb(), chosen) == (
        "in two: neosian memory view --root /r --scope user:me /a"
        " | neosian memory write --root /r --scope user:me /b --content -, then on"
    )
    assert spell("neosian verify", verb(), chosen) == "neosian verify --root /r"
    assert spell("(neosian export DIR)", verb(), chosen) == "(neosian export --root /r DIR)"
    assert (
        spell("neosian export DIR --root /other makes one", verb(), chosen)
        == "neosian export DIR --root /other makes one"
    )
    for left in ("neosian memory list --help", "neosian memory --help", "neosian docs config", "choose with --root"):
        assert spell(left, verb(), chosen) == left


def test_an_option_of_the_verb_itself_chose_no_store():
    own = verb(Option("--scope", help="what to check"))
    assert spell("neosian status", own, {"root": None, "scope": "user:me"}) == "neosian status"
