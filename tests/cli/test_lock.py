"""`neosian lock`: the root lock while a command runs."""

from __future__ import annotations

import json
import signal
import sys

import pytest

from tests.cli.process import NEOSIAN, call, start
from tests.samples import write

SHELL = ("--", "sh", "-c")


@pytest.fixture
def root(tmp_path):
    write(tmp_path / "store", "notes/a", "hello")
    return str(tmp_path / "store")


@pytest.mark.parametrize("status", [0, 1, 7, 255])
def test_its_exit_status_is_the_commands(root, status):
    done = call(NEOSIAN, "lock", "--root", root, *SHELL, f"echo out; echo err >&2; exit {status}")
    assert (done.returncode, done.stdout, done.stderr) == (status, b"out\n", b"err\n")


def test_a_command_that_a_signal_ended(root):
    assert call(NEOSIAN, "lock", "--root", root, *SHELL, "kill -9 $$").returncode == 137


def test_a_neosian_inside_finds_it_locked_and_says_by_whom(root):
    inner = f"{sys.executable} -m neosian_cli verify --root '{root}' --lock-timeout 0 --json"
    done = call(NEOSIAN, "lock", "--root", root, *SHELL, inner)
    error = json.loads(done.stderr)["error"]
    assert done.returncode == error["exit_status"] == 8
    assert error["code"] == "locked"
    assert error["details"]["verb"] == "lock"
    assert isinstance(error["details"]["pid"], int)


def test_status_works_and_names_the_holder(root):
    inner = f"{sys.executable} -m neosian_cli status --root '{root}' --json"
    done = call(NEOSIAN, "lock", "--root", root, *SHELL, inner)
    assert done.returncode == 0
    assert json.loads(done.stdout)["lock"]["verb"] == "lock"


def test_a_missing_command_and_one_that_cannot_be_executed(root, tmp_path):
    done = call(NEOSIAN, "lock", "--root", root, "--json", "--", "no-such-command-here")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (5, "not_found")
    plain = tmp_path / "plain"
    plain.write_text("")
    done = call(NEOSIAN, "lock", "--root", root, "--json", "--", str(plain))
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (6, "permission_denied")


def test_no_store_no_lock(tmp_path):
    done = call(NEOSIAN, "lock", "--root", str(tmp_path / "none"), "--json", "--", "true")
    assert (done.returncode, json.loads(done.stderr)["error"]["code"]) == (5, "not_found")
    assert not (tmp_path / "none").exists()


def test_without_a_command_it_is_called_wrongly(root):
    assert call(NEOSIAN, "lock", "--root", root).returncode == 2
    assert call(NEOSIAN, "lock", "--root", root, "--").returncode == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_is_passed_on_and_the_command_has_the_last_word(root, number):
    script = f"trap 'echo told; exit 3' {number.name[3:]}; echo ready; while :; do sleep 0.05; done"
    child = start(NEOSIAN, "lock", "--root", root, *SHELL, script)
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(number)
    out, _ = child.communicate(timeout=30)
    assert (child.returncode, out) == (3, b"told\n")


def test_an_interrupt_that_no_terminal_sent_is_passed_on_too(root):
    """A Ctrl-C reaches the whole foreground of a terminal; `kill -INT` of this process reaches it alone."""
    script = "trap 'echo told; exit 3' INT; echo ready; while :; do sleep 0.05; done"
    words = ("lock", "--root", root, *SHELL, script)
    child = start(NEOSIAN, *words, start_new_session=True)
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(signal.SIGINT)
    out, _ = child.communicate(timeout=30)
    assert (child.returncode, out) == (3, b"told\n")


def test_a_caller_that_ignores_the_end_of_its_children(root):
    script = """trap '' CHLD; "$@"; exit $?"""
    done = call(("sh", "-c", script, "sh", *NEOSIAN), "lock", "--root", root, *SHELL, "exit 7")
    assert (done.returncode, done.stderr) == (7, b"")


def test_the_command_starts_with_the_signals_that_it_would_have_had(root):
    child = start(NEOSIAN, "lock", "--root", root, *SHELL, "echo ready; exec sleep 30")
    assert child.stdout.readline() == b"ready\n"
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    assert child.returncode == 143


def test_others_wait_until_it_ends(root, tmp_path):
    mark = tmp_path / "mark"
    child = start(NEOSIAN, "lock", "--root", root, *SHELL, f"echo ready; sleep 0.5; echo done > '{mark}'")
    assert child.stdout.readline() == b"ready\n"
    assert call(NEOSIAN, "verify", "--root", root).returncode == 0
    assert mark.exists()
    child.communicate(timeout=30)
