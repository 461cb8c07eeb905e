"""The door from outside: results, errors, exit statuses."""

from __future__ import annotations

import json

import pytest

from neosian_cli import __version__
from tests.cli.process import NEOSIAN, PLAYGROUND, call


def error_of(ended):
    """The envelope on stderr, which must be all there is."""
    assert ended.stdout == b""
    assert ended.stderr.endswith(b"\n")
    assert ended.stderr.count(b"\n") == 1
    error = json.loads(ended.stderr)["error"]
    assert list(error) == ["code", "exit_status", "message", "details", "hint"]
    assert error["exit_status"] == ended.returncode
    return error


def lines_of(ended):
    """What a person is told on stderr."""
    assert ended.stdout == b""
    told = ended.stderr.decode().splitlines()
    assert told[0].startswith("neosian: ")
    assert all(line.startswith("hint: ") for line in told[1:])
    return told


def test_version():
    for words in (("--version",), ("version",), ("-V",)):
        ended = call(NEOSIAN, *words)
        assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"neosian {__version__}\n".encode(), b"")
    ended = call(NEOSIAN, "version", "--json")
    assert json.loads(ended.stdout)["version"] == __version__


def test_schema():
    plain, line = call(NEOSIAN, "schema", "cli"), call(NEOSIAN, "schema", "cli", "--json")
    assert json.loads(plain.stdout) == json.loads(line.stdout)
    assert line.stdout.count(b"\n") == 1


def test_help_is_a_result():
    ended = call(NEOSIAN, "--help")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert ended.stdout.startswith(b"Usage: neosian ")


@pytest.mark.parametrize("words", [(), ("nope",), ("--nope",), ("version", "--nope"), ("version", "x"), ("schema",)])
def test_errors_of_usage(words):
    ended = call(NEOSIAN, *words)
    assert ended.returncode == 2
    lines_of(ended)
    error = error_of(call(NEOSIAN, *words, "--json"))
    assert error["code"] == "usage"
    assert error["hint"].startswith("neosian ")
    assert error_of(call(NEOSIAN, *words, "--jsonl"))["code"] == "usage"


@pytest.mark.parametrize(
    ("words", "status", "code", "details"),
    [
        (("failure",), 4, "conflict", {"reason": "exists", "path": "/a"}),
        (("io",), 1, "io_error", {"errno": 5, "path": "/tmp/\\udcff", "committed": False}),
        (("io", "--committed"), 1, "io_error", {"errno": 5, "path": "/tmp/\\udcff", "committed": True}),
        (("io", "--uncertain"), 1, "io_error", {"errno": 5, "path": "/tmp/\\udcff", "committed": "unknown"}),
        (("denied",), 6, "permission_denied", {"errno": 13, "path": "/root/\\udcffx"}),
        (("readonly",), 6, "read_only", {"errno": 30, "path": None}),
        (("memory", "--committed"), 1, "internal", {"committed": True}),
        (("recursion",), 1, "internal", {"committed": False}),
        (("import",), 1, "internal", {"module": "nothing_of_this_name", "committed": False}),
        (("value",), 1, "internal", {"type": "ValueError", "committed": False}),
        (("keyboard",), 130, "interrupted", {"signal": "SIGINT", "committed": False}),
        (("exit",), 1, "internal", {"type": "SystemExit", "committed": False}),
    ],
)
def test_whatever_happens_inside_has_a_name(words, status, code, details):
    ended = call(PLAYGROUND, "play", "fail", *words, "--json")
    error = error_of(ended)
    assert (ended.returncode, error["code"], error["details"]) == (status, code, details)
    ended = call(PLAYGROUND, "play", "fail", *words)
    assert ended.returncode == status
    assert "Traceback" not in "\n".join(lines_of(ended))


def test_a_message_cannot_control_the_terminal():
    ended = call(PLAYGROUND, "play", "fail", "failure")
    assert ended.stderr.decode() == "neosian: it is there\\x1b[31m already\nhint: neosian look\n"


def test_a_group_that_cannot_be_imported():
    for words in (("broken", "x"), ("broken", "--help")):
        assert error_of(call(PLAYGROUND, *words, "--json"))["details"]["module"] == "tests.cli.no_such_module"


@pytest.mark.parametrize("kind", ["failure", "value", "recursion"])
def test_a_traceback_for_those_who_ask(kind):
    ended = call(PLAYGROUND, "play", "fail", kind, "--json", env={"NEOSIAN_DEBUG": "1"})
    assert ended.stdout == b""
    assert ended.stderr.startswith(b"Traceback ")
    assert json.loads(ended.stderr.splitlines()[-1])["error"]["exit_status"] == ended.returncode
    assert b"Traceback" not in call(PLAYGROUND, "play", "fail", kind, env={"NEOSIAN_DEBUG": "0"}).stderr


def test_values_arrive():
    ended = call(
        PLAYGROUND, "--root", "r", "play", "show", "/a", "--content", "-", "--payload", "@@x", "--limit=7", "--json",
        input="ü\n".encode(),
    )  # fmt: skip
    shown = json.loads(ended.stdout)
    assert shown["texts"] == {"content": "ü\n", "payload": b"@x".hex()}
    assert (shown["values"]["root"], shown["values"]["limit"]) == ("r", 7)


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (("--content", "-"), b"\xff"),
        (("--content", b"\xff"), b""),
        (("--content", "-", "--old", "-"), b"x"),
        (("--limit", "0"), b""),
        (("--action", "x"), b""),
    ],
)
def test_bad_values(words, stdin):
    error = error_of(call(PLAYGROUND, "play", "show", *words, "--json", input=stdin))
    assert (error["code"], error["exit_status"]) == ("invalid_argument", 2)


def test_argument_bytes_do_not_depend_on_the_locale():
    for locale in ("C", "POSIX", "C.UTF-8"):
        ended = call(PLAYGROUND, "play", "show", "--content", "é", "--json", env={"LC_ALL": locale})
        assert json.loads(ended.stdout)["texts"]["content"] == "é"


def test_a_listing_in_a_pipe():
    ended = call(PLAYGROUND, "play", "list")
    assert ended.stdout == b"/p/0\\t\\x1b\t0\n/p/1\\t\\x1b\t1\n"
    assert call(PLAYGROUND, "play", "list", "--count", "0").stdout == b""
    lines = [json.loads(line) for line in call(PLAYGROUND, "play", "list", "--jsonl").stdout.splitlines()]
    assert [line["type"] for line in lines] == ["entry", "entry", "page"]


def test_notes_for_people_only():
    ended = call(PLAYGROUND, "play", "look")
    assert ended.stderr == b"neosian: that was all\nhint: neosian look again\n"
    for more in ("-q", "--quiet", "--json"):
        assert call(PLAYGROUND, "play", "look", more).stderr == b""


def test_a_preview_says_that_nothing_was_changed():
    ended = call(PLAYGROUND, "play", "prune")
    assert b"nothing was changed" in ended.stderr
    assert b"--write" in ended.stderr
    for more in ("--write", "--json", "--quiet"):
        assert b"nothing was changed" not in call(PLAYGROUND, "play", "prune", more).stderr


def test_an_exit_status_of_a_verb():
    ended = call(PLAYGROUND, "play", "look", "--status", "3")
    assert (ended.returncode, ended.stdout) == (3, b"x" * 10 + b"\n")


def test_remarks_of_the_store_are_passed_on():
    assert b"the store has something to say" in call(PLAYGROUND, "play", "change").stderr
