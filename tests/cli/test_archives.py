"""`export` and `import` through the real command: results, refusals, interruptions, what people see."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys

import jsonschema
import pytest

from neosian_cli.commands.interface import document
from neosian_cli.services.verify import verify
from tests.cli.process import NEOSIAN, TOP, environment
from tests.cli.workspace import Workspace
from tests.contract.test_migration import DATA
from tests.samples import open_store

STRUCK = (sys.executable, "-m", "tests.cli.struck")


@pytest.fixture
def workspace(tmp_path):
    made = Workspace(tmp_path)
    made.fill(**{"notes/a": "one", "notes/b": "two"})
    made.memory("write", "/user/mine", "--content", "a")
    made.memory("write", "/user/mine", "--content", "b")
    made.memory("erase", "/project/notes/b", "--write")
    return made


def run(workspace, *words, status=0, code=None):
    done = workspace.run(*words, "--json")
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    if code is None:
        assert done.stderr == b""
        found = json.loads(done.stdout)
        jsonschema.validate(found, {**document(), "$ref": f"#/$defs/result.{words[0]}"})
        return found
    assert done.stdout == b""
    error = json.loads(done.stderr)["error"]
    assert (error["code"], error["exit_status"]) == (code, status), error
    return error


def clean(root):
    return verify(open_store(root), None)["findings"] == []


def test_there_and_back(workspace, tmp_path):
    archive, target = tmp_path / "archive", tmp_path / "target"
    scopes = [
        {"scope": "user:ann", "documents": 1, "versions": 2, "erasures": 0},
        {"scope": "user:ann/proj:erp", "documents": 2, "versions": 2, "erasures": 1},
    ]
    assert run(workspace, "export", str(archive)) == {"scopes": scopes, "namespaces": [], "unreadable": []}
    found = run(workspace, "import", str(archive), "--root", str(target))
    assert found == {"scopes": scopes, "namespaces": [], "skipped": []}
    assert clean(archive)
    assert clean(target)
    listed = [workspace.memory("list", "/project", "--root", str(root)) for root in (workspace.root, archive, target)]
    assert listed[0] == listed[1] == listed[2]


def test_semantic_records_too(workspace, tmp_path):
    workspace.run("semantic", "create", "notes", "--provider", "fake", "--dimensions", "8")
    workspace.run("semantic", "upsert", "notes", "--id", "a", "--content", "some words")
    run(workspace, "export", str(tmp_path / "archive"), "--namespace", "notes")
    found = run(workspace, "import", str(tmp_path / "archive"), "--root", str(tmp_path / "target"))
    assert found == {"scopes": [], "namespaces": [{"namespace": "notes", "versions": 1, "changes": 0}], "skipped": []}
    histories = [
        workspace.run("semantic", "history", "notes", "a", "--json", "--root", str(root)).stdout
        for root in (workspace.root, tmp_path / "target")
    ]
    assert histories[0] == histories[1] != b""


def test_one_scope_whatever_the_environment_says(workspace, tmp_path):
    done = workspace.run("export", "archive", "--scope", "user:ann", "--json", NEOSIAN_SCOPE="user:other")
    assert [scope["scope"] for scope in json.loads(done.stdout)["scopes"]] == ["user:ann"]
    assert (workspace.work / "archive" / "store.json").exists()
    done = workspace.run("export", "all", "--json", NEOSIAN_SCOPE="user:ann")
    assert len(json.loads(done.stdout)["scopes"]) == 2
    both = ("--scope", "user:ann", "--scope", "user:ann/proj:erp")
    assert len(run(workspace, "export", str(tmp_path / "both"), *both)["scopes"]) == 2


def test_people_see_a_row_a_scope(workspace, tmp_path):
    rows = b"user:ann\t1\t2\t0\nuser:ann/proj:erp\t2\t2\t1\n"
    done = workspace.run("export", str(tmp_path / "archive"))
    assert (done.stdout, done.stderr) == (rows, f"neosian: written to {tmp_path}/archive\n".encode())
    done = workspace.run("import", str(tmp_path / "archive"), "--root", str(tmp_path / "target"))
    assert (done.stdout, done.stderr) == (rows, f"neosian: written to {tmp_path}/target\n".encode())


def test_refusals(workspace, tmp_path):
    archive, target = str(tmp_path / "archive"), ("--root", str(tmp_path / "target"))
    run(workspace, "export", archive)
    assert run(workspace, "export", archive, status=4, code="conflict")["details"]["reason"] == "target_occupied"
    run(workspace, "import", archive, *target)
    assert (
        run(workspace, "import", archive, *target, status=4, code="conflict")["details"]["reason"] == "target_occupied"
    )
    run(workspace, "import", archive, "--root", archive, status=2, code="invalid_argument")
    run(workspace, "export", str(workspace.root / "inside"), status=2, code="invalid_argument")
    run(workspace, "export", str(tmp_path / "x"), "--scope", "nonsense", status=2, code="invalid_argument")
    run(workspace, "export", str(tmp_path / "x"), "--scope", "user:no", status=5, code="not_found")
    run(workspace, "import", str(tmp_path / "x"), *target, status=5, code="not_found")
    run(workspace, "import", str(workspace.work), *target, status=9, code="not_a_store")
    run(workspace, "export", str(tmp_path / "x"), "--url", "http://localhost", status=7, code="unsupported")
    run(workspace, "export", "", status=2, code="invalid_argument")
    run(workspace, "export", str(tmp_path / "x"), "--root", str(tmp_path / "none"), status=5, code="not_found")
    assert not (tmp_path / "x").exists()
    assert not (tmp_path / "none").exists()


def test_damage_names_the_file(workspace, tmp_path):
    run(workspace, "export", str(tmp_path / "archive"))
    file = "scopes/user%3Aann/proj%3Aerp/documents/notes/a.json"
    path = tmp_path / "archive" / file
    path.write_bytes(path.read_bytes().replace(b"one", b"six"))
    target = ("--root", str(tmp_path / "target"))
    error = run(workspace, "import", str(tmp_path / "archive"), *target, status=9, code="document_corrupt")
    assert error["details"]["file"] == file
    assert not (tmp_path / "target").exists()
    done = workspace.run("export", str(tmp_path / "kept"), "--skip-damaged", "--root", str(tmp_path / "archive"))
    assert done.returncode == 0
    assert f"left out of {tmp_path / 'kept'}: {file} is not what".encode() in done.stderr


def test_a_refused_export_names_the_command_that_goes_on(workspace, tmp_path):
    """As it stands it can be typed: whatever was written before the damage was met is out of its way."""
    file = workspace.root / "scopes/user%3Aann/proj%3Aerp/documents/notes/a.json"
    file.write_bytes(file.read_bytes().replace(b"one", b"six"))
    archive = tmp_path / "an archive"
    error = run(workspace, "export", str(archive), "--root", str(workspace.root), status=9, code="document_corrupt")
    assert error["hint"].endswith(f"neosian export --root {workspace.root} '{archive}' --skip-damaged")
    assert typed(workspace, error["hint"]).returncode == 0
    assert clean(archive)
    assert (archive / "scopes/user%3Aann/documents/mine.json").exists()


def test_a_damaged_feed_names_the_way_out(workspace, tmp_path):
    path = workspace.root / "scopes/user%3Aann/proj%3Aerp/.changes/stream.json"
    path.write_bytes(b"{}")
    done = workspace.run("changes", "read", "/project")
    assert done.returncode == 9
    hint = next(line for line in done.stderr.decode().splitlines() if line.startswith("hint: "))
    command = hint.removeprefix("hint: ").partition(" takes along")[0].replace("DIR", str(tmp_path / "kept"))
    assert typed(workspace, command).returncode == 0
    assert clean(tmp_path / "kept")


def typed(workspace, command):
    """The command in a shell where `neosian` is this program."""
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")
    program = f'neosian() {{ {sys.executable} -m neosian_cli "$@"; }}; {command}'
    return subprocess.run(["bash", "-c", program], cwd=TOP, env=env, capture_output=True, timeout=120, check=False)


def test_a_store_of_the_python_package(workspace, tmp_path):
    done = workspace.run("import", str(DATA / "store"), "--root", str(tmp_path / "target"))
    assert done.returncode == 9
    assert b"--from neosian" in done.stderr
    (tmp_path / "old").mkdir()
    subprocess.run(["cp", "-r", str(DATA / "store"), str(tmp_path / "old")], check=True)
    (tmp_path / "old" / "store" / "stray\x1b[31m").write_text("x")
    words = ("import", str(tmp_path / "old" / "store"), "--from", "neosian", "--root", str(tmp_path / "target"))
    found = run(workspace, *words)
    assert [scope["scope"] for scope in found["scopes"]] == ["user:ann", "user:ann/proj:erp"]
    assert [(problem["path"], problem["code"]) for problem in found["skipped"]] == [("stray\x1b[31m", "unsupported")]
    assert clean(tmp_path / "target")
    shown = workspace.memory("view", "/user/notes/plain", "--root", str(tmp_path / "target"))
    assert (shown["content"], shown["version"], shown["actor"]) == ("two\r\n", 2, "conv:abc#4")
    done = workspace.run(*words[:-1], str(tmp_path / "again"))
    assert b"not imported: stray\\x1b[31m is no part of a file store" in done.stderr


def struck(workspace, step, *words, number=signal.SIGINT):
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")
    env["PYTHONPATH"] = str(TOP)
    return subprocess.run(
        [*STRUCK, str(step), str(int(number)), *words], cwd=TOP, env=env, capture_output=True, timeout=120
    )


@pytest.mark.parametrize("step", [1, 4, 40, 90, 95, 97, 99, 101])
def test_a_ctrl_c_in_the_middle_of_an_export(workspace, tmp_path, step):
    done = struck(workspace, step, "export", str(tmp_path / "archive"), "--json")
    if done.returncode == 0:
        assert clean(tmp_path / "archive")
        return
    assert (done.returncode, done.stdout) == (130, b"")
    error = json.loads(done.stderr)["error"]
    assert error["code"] == "interrupted"
    whole = (tmp_path / "archive" / "store.json").exists()
    assert error["details"]["committed"] is whole
    if not whole:
        taken = workspace.run("import", str(tmp_path / "archive"), "--root", str(tmp_path / "target"), "--json")
        assert json.loads(taken.stderr)["error"]["code"] in ("not_a_store", "not_found")
        if error["hint"] is not None:
            assert "holds no archive" in error["message"]
            assert typed(workspace, error["hint"]).returncode == 0
            assert clean(tmp_path / "archive")
    assert clean(workspace.root)


@pytest.mark.parametrize("step", [1, 10, 30, 50, 70, 90])
def test_a_ctrl_c_in_the_middle_of_an_import(workspace, tmp_path, step):
    run(workspace, "export", str(tmp_path / "archive"))
    done = struck(workspace, step, "import", str(tmp_path / "archive"), "--root", str(tmp_path / "target"), "--json")
    store = open_store(tmp_path / "target")
    with store.reading() as tree:
        made = [name for name in ("user%3Aann", "user%3Aann/proj%3Aerp") if tree.status(f"scopes/{name}/.changes")]
    if done.returncode:
        assert (done.returncode, done.stdout) == (130, b"")
        error = json.loads(done.stderr)["error"]
        assert error["details"]["transactions"] == len(made)
        assert error["details"]["scopes"] == [name.replace("%3A", ":") for name in made]
        assert error["details"]["committed"] is bool(made)
        if len(made) == 1:
            assert "1 of 2 scopes imported" in error["message"]
            assert typed(workspace, error["hint"]).returncode == 0
            assert clean(tmp_path / "target")
            assert len(workspace.memory("list", "/project", "--root", str(tmp_path / "target"))["entries"]) == 2
            return
        assert "nothing was changed" in error["message"] or len(made) == 2
    if made:
        workspace.memory("write", "/other/x", "--content", "x", "--root", str(tmp_path / "target"),
                         "--mount", "scope=user:other,path=other")  # fmt: skip
        assert clean(tmp_path / "target")


@pytest.mark.parametrize("step", [4, 40, 60, 80, 90])
def test_an_export_that_finds_no_room_names_what_can_be_typed(workspace, tmp_path, step):
    """What is there by then refuses the same command."""
    done = struck(workspace, step, "export", str(tmp_path / "archive"), "--json", number=0)
    assert (done.returncode, done.stdout) == (1, b"")
    error = json.loads(done.stderr)["error"]
    assert error["code"] == "io_error"
    again = error["hint"] if "neosian export" in error["hint"] else f"neosian export {tmp_path / 'archive'}"
    assert typed(workspace, again).returncode == 0
    assert clean(tmp_path / "archive")


def test_an_import_that_finds_no_room_names_the_rest(workspace, tmp_path):
    run(workspace, "export", str(tmp_path / "archive"))
    seen = set()
    for step in range(20, 100, 8):
        target = ("--root", str(tmp_path / f"target{step}"))
        done = struck(workspace, step, "import", str(tmp_path / "archive"), *target, "--json", number=0)
        error = json.loads(done.stderr)["error"] if done.returncode else {"details": {}}
        made = error["details"].get("transactions", 0)
        if made == 1:
            seen.add(made)
            assert typed(workspace, error["hint"]).returncode == 0
            assert clean(tmp_path / f"target{step}")
    assert seen == {1}


def test_the_result_of_a_change_must_be_read(workspace, tmp_path):
    """As with every verb that changes something: nobody who reads is 74, and what is made is told."""
    read, write = os.pipe()
    os.close(read)
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann")
    words = [*NEOSIAN, "export", str(tmp_path / "archive"), "--json"]
    done = subprocess.run(words, env=env, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == 74
    assert json.loads(done.stderr)["error"]["details"]["committed"] is True
    assert clean(tmp_path / "archive")


def test_a_terminal_gets_a_table(workspace, tmp_path):
    leader, follower = pty.openpty()
    env = environment(HOME=str(workspace.folder), NEOSIAN_HOME=str(workspace.home), LOGNAME="ann", NO_COLOR="1")
    words = [*NEOSIAN, "export", str(tmp_path / "archive")]
    subprocess.run(words, env=env, stdout=follower, stderr=subprocess.PIPE, check=True)
    os.close(follower)
    shown = os.read(leader, 4096).decode()
    os.close(leader)
    assert [line.split() for line in shown.splitlines()][:2] == [
        ["scope", "documents", "versions", "erasures"],
        ["user:ann", "1", "2", "0"],
    ]
