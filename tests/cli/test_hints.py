"""A hint can be typed as it stands: it finds the same store as the command that it follows."""

from __future__ import annotations

import json
import shlex

import pytest

from neosian_cli.commands.again import spell
from neosian_cli.commands.declare import Option, Verb
from neosian_cli.errors import CODES, HINTS
from tests.cli.process import NEOSIAN, call
from tests.cli.test_screens import screen
from tests.cli.workspace import Workspace
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


@pytest.fixture
def place(tmp_path):
    made = Workspace(tmp_path)
    made.fill(**{"notes/decision": "one"})
    made.memory("write", "/project/notes/decision", "--content", "two")
    assert made.run("semantic", "create", "facts", "--provider", "fake").returncode == 0
    return made


MEANT = [
    ("memory list", "memory list /project"),
    ("memory list --limit 3", "memory list --limit 3 /project"),
    ("changes read", "changes read /project"),
    ("changes checkpoint job.cursor", "changes checkpoint job.cursor /project"),
    ("messages send --body 'two words'", "messages send --body 'two words' --target /project"),
    ("memory view notes/decision", "memory view /project/notes/decision"),
    ("memory view project/notes/decision", "memory view /project/notes/decision"),
    ("memory view /projct/notes/decision", "memory view /project/notes/decision"),
    ("memory rename /project/notes/decision new", "memory rename /project/notes/decision /project/new"),
    ("messages list --target=/projects", "messages list --target=/project"),
    ("changes checkpoint /project job.cursor", "changes checkpoint job.cursor /project"),
    ("changes checkpoint /project --advance X", "changes checkpoint FILE /project --advance X"),
    ("memory diff /project/notes/decision 1 2", "memory diff /project/notes/decision --from 1 --to 2"),
    ("memory view /project/notes/decision 1", "memory view /project/notes/decision --version 1"),
    ("memory write /project/a hello", "memory write /project/a --content hello"),
    (
        "memory replace /project/notes/decision two 'a b'",
        "memory replace /project/notes/decision --old two --new 'a b'",
    ),
    ("messages send hello", "messages send --body hello"),
    ("messages ack ID ci 1", "messages ack ID --session ci --occurrence 1"),
    ("lock ls", "lock -- ls"),
    ("lock --quiet ls -l", "lock --quiet -- ls -l"),
    ("semantic delete facts s --hard --write", "semantic delete facts s --hard"),
    ("messages send --write --body x", "messages send --body x"),
]


@pytest.mark.parametrize(("typed", "meant"), MEANT, ids=[typed for typed, _ in MEANT])
def test_what_was_meant_is_typed_out(place, typed, meant):
    done = place.run(*shlex.split(typed))
    assert (done.returncode, done.stdout) == (2, b"")
    hint = done.stderr.decode().splitlines()[-1].removeprefix("hint: ").removeprefix("did you mean: ")
    assert hint == f"neosian {meant}"


@pytest.mark.parametrize(
    "typed", ["memory list", "memory view notes/decision", "memory diff /project/notes/decision 1 2", "lock true"]
)
def test_what_was_meant_finds_the_same_store(place, typed):
    chosen = (
        "--root",
        str(place.root),
        "--mount",
        "scope=user:ann/proj:erp,path=project",
        "--mount",
        "scope=user:x,path=x",
    )
    group, *rest = shlex.split(typed)
    words = (group, *chosen, *rest) if group == "lock" else (group, rest[0], *chosen, *rest[1:])
    done = place.run(*words, NEOSIAN_HOME="/nowhere")
    assert done.returncode == 2
    again = call(NEOSIAN, *command_of(done.stderr))
    assert again.returncode == 0, again.stderr


@pytest.mark.parametrize(
    ("typed", "message", "hint"),
    [
        ("changes checkpoint F /project --advance ''", "--advance is empty: did the command that should", ""),
        ("changes read /project --cursor ''", "--cursor is empty: did the command that should print it fail?", ""),
        ("changes prune /project --through ''", "--through is empty: did the command that should print it fail?", ""),
        ("semantic search facts q --as-of 2022-01-01", "--as-of '2022-01-01'", "2022-01-01T00:00:00Z"),
        ("semantic search facts q --as-of '2022-01-01 10:11'", "--as-of", "2022-01-01T10:11:00Z"),
        ("semantic search facts q --as-of yesterday", "--as-of 'yesterday'", "2026-01-02T03:04:05Z"),
        ("semantic search fact q", "there is no namespace fact; did you mean facts?", "neosian semantic create fact"),
        ("semantic search other q", "there is no namespace other", "neosian semantic create other"),
        ("messages complete ID", "--session, --occurrence, --token and --outcome are missing", "--help"),
        ("memory replace", "PATH, --old and --new are missing", "--help"),
        ("semantic delete facts s --hard --write", "this verb acts at once", "--hard"),
        ("memory write /project/ü --content x", "segment 'ü' of path 'ü'", "--help"),
        ("memory write /project/\x1b\u202e --content x", "segment '\\x1b\\u202e'", "--help"),
        ("memory write project/a --content 'two\nlines'", "", "write /project/a --content …"),
        ("lock -- nosuchcmd", "there is no command nosuchcmd", "neosian lock -- sh -c"),
        ("import /nowhere/at/all", "there is no store at /nowhere/at/all", "export has written"),
    ],
    ids=lambda value: value if " " in value else "",
)  # fmt: skip
def test_a_refusal_names_what_is_wrong_and_what_to_do(place, typed, message, hint):
    done = place.run(*shlex.split(typed))
    assert done.returncode in (2, 5)
    first, second = done.stderr.decode().splitlines()
    assert message in first
    assert hint in second


def test_a_claim_ends_with_the_command_that_completes_it(place):
    sent = json.loads(
        place.run("messages", "send", "--target", "/project", "--body", "x", "--actionable", "--json").stdout
    )
    words = ("messages", "claim", sent["id"], "--session", "ci", "--occurrence", "1")
    assert b"token" not in place.run(*words).stderr
    command = command_of("\n".join(screen(place, 400, *words)).encode())
    assert command[-2:] == ["--outcome", "…"]
    assert place.run(*command[:-1], "done").returncode == 0


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
