"""`neosian config` and `schema config` through the command, as a user meets them."""

from __future__ import annotations

import json
import os
import subprocess

import jsonschema
import pytest

from neosian_cli.config import schema
from tests.cli.process import NEOSIAN, environment

CONFIG = """\
profiles:
  work:
    root: state
    actor: cli:boss
    mounts:
      - {path: project, scope: "user:me/proj:erp"}
      - {path: policies, scope: "org:acme/kb:all", mode: ro}
namespaces:
  - {block: semantic, name: notes, embedder: {provider: ollama, model: nomic, dimensions: 8}}
caps: {top_k: 5}
"""


class Place:
    """A home and a project folder of their own."""

    def __init__(self, folder):
        self.home = folder / "home"
        self.work = folder / "erp"
        self.home.mkdir()
        self.work.mkdir()
        self.config = self.home / "config.yaml"

    def run(self, *words, cwd=None, **variables):
        mine = {"HOME": str(self.home.parent), "NEOSIAN_HOME": str(self.home), "LOGNAME": "ann"}
        env = environment(**{**mine, **variables})
        return subprocess.run(
            [*NEOSIAN, *words], cwd=cwd or self.work, env=env, capture_output=True, text=True, check=False
        )

    def json(self, *words, **variables):
        done = self.run(*words, "--json", **variables)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.count("\n") == 1
        return json.loads(done.stdout)

    def error(self, *words, **variables):
        done = self.run(*words, "--json", **variables)
        assert done.stdout == ""
        found = json.loads(done.stderr)["error"]
        assert found["exit_status"] == done.returncode
        return found


@pytest.fixture
def place(tmp_path):
    return Place(tmp_path)


def test_show_without_a_file(place):
    shown = place.json("config", "show")
    assert list(shown)[:12] == [
        "home", "config", "config_found", "profile", "root", "url", "mounts", "actor", "lock_timeout", "namespaces",
        "caps", "origins",
    ]  # fmt: skip
    assert shown["root"] == str(place.home / "store")
    assert (shown["config"], shown["config_found"]) == (str(place.config), False)
    assert shown["mounts"] == [
        {"path": "/user", "scope": "user:ann", "mode": "rw"},
        {"path": "/project", "scope": "user:ann/proj:erp", "mode": "rw"},
    ]
    assert shown["lock_timeout"] == 10
    assert shown["origins"]["root"] == "default"
    jsonschema.validate(shown, schema.SHOW)
    assert os.listdir(place.home) == []


def test_show_with_a_profile(place):
    place.config.write_text(CONFIG)
    shown = place.json("config", "show", "--profile", "work", "--lock-timeout", "0.5", NEOSIAN_ACTOR="cli:env")
    jsonschema.validate(shown, schema.SHOW)
    assert shown["root"] == str(place.home / "state")
    assert shown["actor"] == "cli:env"
    assert shown["lock_timeout"] == 0.5
    assert shown["caps"] == {"top_k": 5, "rerank_candidate_k": 1000, "max_rows": 100000, "batch": 10000}
    assert shown["namespaces"][0]["embedder"]["model"] == "nomic"
    assert shown["origins"] == {
        "home": "environment NEOSIAN_HOME",
        "config": "default",
        "profile": "option --profile",
        "root": f"profile work ({place.config}:3)",
        "mounts": f"profile work ({place.config}:5)",
        "actor": "environment NEOSIAN_ACTOR",
        "lock_timeout": "option --lock-timeout",
        "namespaces": f"file {place.config}:8",
        "caps": f"file {place.config}:10",
        "caps.top_k": f"file {place.config}:10",
        "caps.rerank_candidate_k": "default",
        "caps.max_rows": "default",
        "caps.batch": "default",
    }


def test_show_for_people(place):
    place.config.write_text(CONFIG)
    done = place.run("config", "show", "--profile", "work")
    assert (done.returncode, done.stderr) == (0, "")
    rows = [row.split("\t") for row in done.stdout.splitlines()]
    assert ["root", str(place.home / "state"), f"profile work ({place.config}:3)"] in rows
    assert ["mount /policies", "org:acme/kb:all ro", f"profile work ({place.config}:5)"] in rows
    assert ["namespace notes", "ollama nomic 8", f"file {place.config}:8"] in rows
    assert ["lock_timeout", "10 s", "default"] in rows
    assert ["caps.top_k", "5", f"file {place.config}:10"] in rows
    assert ["caps.batch", "10000", "default"] in rows
    assert all(len(row) == 3 for row in rows)


def test_show_works_where_the_folder_gives_no_name(place):
    done = place.run("config", "show", cwd="/")
    assert done.returncode == 0
    assert "mount" not in done.stdout
    assert "no name for a project" in done.stderr
    assert "--scope" in done.stderr
    shown = json.loads(place.run("config", "show", "--json", cwd="/").stdout)
    assert shown["mounts"] == []
    assert "no name for a project" in shown["problem"]


def test_no_secret_is_shown(place):
    place.config.write_text('profiles: {far: {url: "https://me:SECRET@far/x?token=SECRET"}}\n')
    for words in (("--profile", "far"), ("--url", "http://SECRET@h")):
        for form in ((), ("--json",)):
            done = place.run("config", "show", *words, *form, NEOSIAN_TOKEN="SECRET", OPENAI_API_KEY="SECRET")
            assert done.returncode == 0
            assert "SECRET" not in done.stdout + done.stderr


def test_check(place):
    assert place.json("config", "check") == {
        "file": str(place.config),
        "ok": True,
        "found": False,
        "default_profile": None,
        "profiles": [],
        "namespaces": [],
    }
    assert "the defaults are in force" in place.run("config", "check").stdout
    place.config.write_text(CONFIG)
    checked = place.json("config", "check")
    jsonschema.validate(checked, schema.CHECK)
    assert (checked["found"], checked["profiles"], checked["namespaces"]) == (True, ["work"], ["notes"])
    assert place.run("config", "check").stdout == f"{place.config} is good: 1 profile, 1 namespace\n"


def test_a_fault_is_named_with_file_line_and_key(place):
    place.config.write_text("profiles:\n  work:\n    rot: /x\n    root: 5\n")
    for verb in ("check", "show"):
        found = place.error("config", verb)
        assert (found["code"], found["exit_status"]) == ("invalid_config", 2)
        assert found["details"]["file"] == str(place.config)
        assert found["details"]["line"] == 3
        assert found["details"]["key"] == "profiles.work.rot"
        assert found["details"]["others"][0]["key"] == "profiles.work.root"
        assert found["hint"] == "did you mean root?"
    done = place.run("config", "check")
    assert done.returncode == 2
    assert done.stderr == (
        f"neosian: {place.config}:3: profiles.work.rot: unknown key (and 1 more)\nhint: did you mean root?\n"
    )


def test_a_file_cannot_control_the_terminal(place):
    place.config.write_text('"\\e[31m\\nx": 1\n')
    done = place.run("config", "check")
    assert done.returncode == 2
    assert "\x1b" not in done.stderr
    assert len(done.stderr.splitlines()) == 2


def test_what_is_missing(place):
    found = place.error("config", "check", "--config", "none.yaml")
    assert (found["code"], found["exit_status"]) == ("not_found", 5)
    found = place.error("config", "show", "--profile", "wrk")
    assert (found["code"], found["exit_status"]) == ("not_found", 5)
    place.config.write_text(CONFIG)
    assert place.error("config", "show", NEOSIAN_PROFILE="wrk")["hint"] == "did you mean work?"


def test_contradictions_are_calls_made_wrongly(place):
    for words, variables in (
        (("--root", "/a", "--url", "http://b"), {}),
        (("--scope", "a:b", "--mount", "scope=a:b,path=c"), {}),
        ((), {"NEOSIAN_ROOT": "/a", "NEOSIAN_URL": "http://b"}),
    ):
        assert place.error("config", "show", *words, **variables)["exit_status"] == 2


def test_a_fifo_does_not_hang(place):
    os.mkfifo(place.config)
    found = place.error("config", "check")
    assert found["code"] == "invalid_config"
    assert "FIFO" in found["message"]


def test_a_root_of_any_bytes_is_shown(place):
    shown = place.json("config", "show", "--root", os.fsdecode(b"caf\xe9"))
    assert shown["root"].startswith(str(place.work) + "/caf")


def test_the_schema_of_the_file(place):
    printed = json.loads(place.run("schema", "config", "--json").stdout)
    assert printed == json.loads(json.dumps(schema.document()))
    jsonschema.Draft202012Validator.check_schema(printed)


@pytest.mark.parametrize("path", [(), ("/project",), ("/nowhere",)])
def test_a_served_store_is_answered_before_anything_else(place, path):
    place.config.write_text("profiles: {far: {url: 'http://127.0.0.1:1/'}}\n")
    for words, variables in (
        (("--url", "http://127.0.0.1:1/"), {}),
        ((), {"NEOSIAN_URL": "http://127.0.0.1:1/"}),
        (("--profile", "far"), {}),
    ):
        found = place.error("changes", "read", *path, *words, **variables)
        assert (found["code"], found["exit_status"]) == ("unsupported", 7)
    assert place.run("changes", "read", *path, "--url", "http://h", cwd="/").returncode == 7
    assert os.listdir(place.home) == ["config.yaml"]
