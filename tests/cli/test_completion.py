"""Completion in real shells: the same lines, the same answers."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from neosian_cli.manual.made import files
from tests.cli.process import NEOSIAN, TOP, call
from tests.cli.shells import Desk, bash, fish, zsh

SHELLS = {"bash": bash, "zsh": zsh, "fish": fish}
BASH_COMPLETION = "/usr/share/bash-completion/bash_completion"

# Lines that the scripts answer by themselves, and what they offer.
STATIC: dict[str, set[str]] = {
    "neosian me": {"memory", "messages"},
    "neosian nope": set(),
    "neosian memory vi": {"view"},
    "neosian --root /tmp memory vi": {"view"},
    "neosian help mem": {"memory"},
    "neosian memory vie x": set(),
    "neosian memory view --l": {"--lines", "--lock-timeout"},
    "neosian memory str_replace --ne": {"--new"},
    "neosian version --": {"--json", "--quiet", "--help"},
    "neosian memory erase --w": {"--write"},
    "neosian memory list --jsonl --curs": {"--cursor"},
    "neosian messages list --status un": {"unread"},
    "neosian messages list --status=un": {"unread"},
    "neosian changes read --from ": {"start", "now"},
    "neosian schema ch": {"changes"},
    "neosian completion ": {"bash", "zsh", "fish"},
    "neosian semantic search notes pie --mode s": {"sparse"},
    "neosian --vers": {"--version"},
    "neosian memory view --lines ": set(),
}

# Lines with names of files in the folder.
FILES: dict[str, set[str]] = {
    "neosian --config fi": {"file.txt"},
    "neosian --root fo": {"folder"},
    "neosian status --root=fo": {"--root=folder"},
    "neosian changes checkpoint fi": {"file.txt"},
    "neosian memory write /project/a --content @fi": {"@file.txt"},
    "neosian memory write /project/a --content fi": set(),
    "neosian semantic upsert notes --records fi": {"file.txt"},
}

# Lines that are asked of the program. OTHER is another root.
DYNAMIC: dict[str, set[str]] = {
    "neosian memory view /": {"/project/", "/user/"},
    "neosian memory view /project/": {"/project/notes/", "/project/plan"},
    "neosian memory view /project/p": {"/project/plan"},
    "neosian memory view /project/notes/": {"/project/notes/a", "/project/notes/b.json/"},
    "neosian memory view /project/notes/b.json/": {"/project/notes/b.json/c"},
    "neosian memory view /nowhere/": set(),
    "neosian memory rename /project/plan /project/no": {"/project/notes/"},
    "neosian changes read /p": {"/project"},
    "neosian semantic get no": {"notes"},
    "neosian --profile wo": {"work"},
    "neosian --root OTHER memory view /user/": {"/user/elsewhere"},
    "neosian memory view --root=OTHER /user/": {"/user/elsewhere"},
    "neosian --scope user:": {"user:ann", "user:ann/proj:erp"},
    "neosian status --scope=user:ann/": {"--scope=user:ann/proj:erp"},
    "neosian memory view --scope user:ann/proj:erp /memories/p": {"/memories/plan"},
    "neosian --mount scope=user:ann/proj:erp,path=it memory view /it/p": {"/it/plan"},
    "neosian --root /nowhere/at/all memory view /user/": set(),
    "neosian --root file.txt memory view /user/": set(),
    "neosian --profile nope memory view /": set(),
}
LINES = [*STATIC, *FILES, *DYNAMIC]


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    made = Desk(tmp_path_factory.mktemp("completion"))
    (made.work / "file.txt").write_text("no store")
    (made.work / "folder").mkdir()
    (made.home / "config.yaml").write_text(
        'profiles:\n  work: {actor: "cli:me"}\n  "a b;$(touch x)": {actor: "cli:me"}\n'
    )
    for path in ("/project/notes/a", "/project/notes/b.json/c", "/project/plan", "/user/mine"):
        made.run("memory", "write", path, "--content", "x")
    made.run("memory", "write", "/user/elsewhere", "--content", "x", "--root", str(made.folder / "other"))
    made.run("semantic", "create", "notes", "--provider", "fake")
    made.run("messages", "send", "--target", "/project", "--body", "hello", "--quiet")
    assert made.asked
    return made


@pytest.fixture(scope="module", params=SHELLS)
def answers(request, desk):
    """What the shell answers to each line, and what was asked of the program for the static ones."""
    if shutil.which(request.param) is None:
        pytest.skip(f"{request.param} is not installed")
    other = str(desk.folder / "other")
    shell = SHELLS[request.param]
    assert desk.asked is not None  # what others asked is forgotten
    static = shell(desk, [*STATIC, *FILES])
    asked = desk.asked
    dynamic = shell(desk, [line.replace("OTHER", other) for line in DYNAMIC])
    return dict(zip(LINES, [*static, *dynamic], strict=True)), asked


def whole(line: str, words: set[str]) -> set[str]:
    """Expected words, as far as the last word of the line begins them."""
    last = line.rpartition(" ")[2]
    name, equals, _ = last.partition("=")
    return {f"{name}={word}" if equals and not word.startswith("--") else word for word in words}


@pytest.mark.parametrize("line", STATIC)
def test_what_stands_in_the_scripts(answers, line):
    assert set(answers[0][line]) == whole(line, STATIC[line])


@pytest.mark.parametrize("line", FILES)
def test_files(answers, line):
    assert {word.rstrip("/") for word in answers[0][line]} == FILES[line]


@pytest.mark.parametrize("line", DYNAMIC)
def test_what_is_asked_of_the_program(answers, line):
    assert set(answers[0][line]) == DYNAMIC[line]


def test_static_parts_start_no_program(answers):
    assert answers[1] == []


@pytest.mark.parametrize("name", SHELLS)
def test_a_program_that_fails_is_not_heard(tmp_path, name):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    desk = Desk(tmp_path)
    desk.program("echo half; echo loud >&2; exit 1")
    assert SHELLS[name](desk, ["neosian memory view /x", "neosian memory vi"]) == [[], ["view"]]
    (asked,) = desk.asked
    assert asked.startswith("__complete path -- /x")


@pytest.mark.parametrize("name", SHELLS)
def test_messages_and_commands(desk, name):
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed")
    (found,), (message,) = (SHELLS[name](desk, [line]) for line in ("neosian lock -- ech", "neosian messages view "))
    assert "echo" in found
    assert len(message[0]) == 36
    assert message[0] in desk.run("messages", "list", "--json")


def test_what_bash_would_expand_is_quoted(desk):
    assert bash(desk, ["neosian --profile a"]) == [["a\\ b\\;\\$\\(touch\\ x\\)"]]


def test_bash_offers_an_option_once(desk):
    lines = ["neosian memory view --lines 1:2 --li", "neosian memory write --extra a=b --ext"]
    assert bash(desk, lines) == [[], ["--extra"]]


@pytest.mark.skipif(not Path(BASH_COMPLETION).exists(), reason="no bash-completion")
def test_bash_completion_loads_it(desk):
    """As a file of its folder, under the name that `make install-extras` gives it."""
    folder = desk.folder / "share/bash-completion/completions"
    folder.mkdir(parents=True)
    shutil.copy(TOP / "completions/neosian.bash", folder / "neosian")
    before = f"export XDG_DATA_DIRS={desk.folder}/share; source {BASH_COMPLETION}; _completion_loader neosian || true"
    assert bash(desk, ["neosian memory vi", "neosian --scope user:"], before) == [
        ["view"],
        ["user:ann", "user:ann/proj:erp"],
    ]


@pytest.mark.parametrize(("shell", "file"), [("bash", "neosian.bash"), ("zsh", "_neosian"), ("fish", "neosian.fish")])
def test_the_command_prints_the_same(shell, file):
    printed = call(NEOSIAN, "completion", shell)
    assert (printed.returncode, printed.stderr) == (0, b"")
    assert printed.stdout == (TOP / "completions" / file).read_bytes()
    assert printed.stdout.decode() == files()[f"completions/{file}"]


def test_asking_makes_nothing_and_waits_for_nothing(tmp_path):
    desk = Desk(tmp_path)
    for kind in ("mount", "path", "document", "namespace", "message", "scope", "profile"):
        ended = subprocess.run(
            ["neosian", "__complete", kind, "--", "", "neosian"], cwd=desk.work, env=desk.environment(),
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")
        assert "/user" in ended.stdout or kind not in ("mount", "path", "document")
    assert list(desk.home.iterdir()) == []
    desk.run("memory", "write", "/user/a", "--content", "x")
    inner = "neosian __complete path -- /user/"
    assert desk.run("lock", "--", "sh", "-c", inner) == "/user/a\n"


def test_asking_of_a_damaged_store_is_quiet(tmp_path):
    desk = Desk(tmp_path)
    desk.run("memory", "write", "/user/a", "--content", "x")
    root = desk.home / "store"
    (root / "scopes/user%3Aann/documents/b;rm.json").write_text("{}")
    (root / "scopes/user%3Aann/documents/link").symlink_to("/etc")
    assert desk.run("__complete", "path", "--", "/user/") == "/user/a\n"
    assert desk.run("__complete", "path", "--", "/user/link/") == ""
    (root / "neosian.json").write_text("{}")
    for marker in root.glob("*.json"):
        marker.write_text("not a marker")
    assert desk.run("__complete", "path", "--", "/user/") == ""
