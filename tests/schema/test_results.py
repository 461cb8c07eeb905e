"""Every verb is run once on a sample store, and what it prints has the shape that its declaration promises."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from neosian_cli.commands import groups
from neosian_cli.commands.interface import result
from tests.cli.workspace import Workspace

# In this order, in one store. `{name}` stands for what an earlier line gave. `!N` in front: it ends with status N.
CALLS = """
version
completion bash
docs
docs memory
schema cli
config show
config check
memory write /project/notes/a --content one --extra k=v
memory write /project/notes/b --content two
memory write /user/c --content three
memory replace /project/notes/a --old one --new won
memory insert /project/notes/a --line 0 --text first
memory view /project/notes/a
memory view /project/notes/a --lines 1:1
memory view /project/notes/a --version 1
memory list /project
memory list /project --limit 1
memory rename /project/notes/b /project/notes/c
memory delete /project/notes/c
memory revert /project/notes/c --version 2
memory diff /project/notes/a
memory versions /project/notes/a
memory versions /project/notes/a --bodies --limit 2
memory erase /project/notes/c
memory erase /project/notes/c --write
memory erase /user --all
messages send --target /project --body hello
messages send --target /project --body do --actionable --context /project/notes/a --turn 1 --conversation s
messages send --target /project --body work --actionable
messages list
messages list --status all --session s
messages view {told}
messages ack {told} --session s --occurrence 1
messages claim {work} --session s --occurrence 1
messages renew {work} --session s --occurrence 1 --token {token}
messages snooze {work} --session s --occurrence 1 --token {token} --outcome later --delay-seconds 60
messages claim {asked} --session s --occurrence 1
messages release {asked} --session s --occurrence 1 --token {token}
messages claim {asked} --session s --occurrence 1
messages complete {asked} --session s --occurrence 1 --token {token} --outcome done
messages cancel {work} --session s --occurrence 2
messages view {work}
changes read /project
changes read /project --limit 2
!3 changes read /new --mount scope=user:nobody,path=new
changes read /project --all --checkpoint place --from start --auto-advance
changes checkpoint place /project
changes checkpoint place /project --advance {head}
changes status /project
changes status /project --checkpoint place
changes stats /project
changes snapshot /project
!3 changes snapshot /new --mount scope=user:nobody,path=new
changes verify /project
changes prune /project --through {head}
changes prune /project --through {head} --write
!3 changes read /project --cursor {old}
semantic create notes --provider fake --dimensions 8
semantic create notes --provider fake --dimensions 8
semantic upsert notes --id a --content apples --metadata k=v --payload bytes --source s
semantic upsert notes --id b --content pears --supersedes a
semantic upsert notes --records @records.jsonl --batch 1
semantic namespaces
semantic search notes apples --include-payload --include-vector --explain
semantic search notes apples --ids-only --mode hybrid --include-invalidated
semantic search notes pears --mode sparse
semantic get notes a b --include-vector --include-payload
semantic list notes --include-invalidated
semantic list notes --limit 1
semantic history notes a
semantic stats notes
semantic expire notes --filter k=none --action invalidate --max-rows 5 --dry-run
semantic expire notes --action soft-delete --max-rows 1
semantic delete notes b nothing
semantic history notes b
semantic reindex notes
semantic reindex notes --index
semantic stats notes
semantic compact notes
semantic compact notes --write
status
verify
export archive
import archive --root other
semantic drop notes
semantic drop notes --write
"""

VERBS = {verb.title: verb for verb in groups.everything()}


def calls() -> list[tuple[int, list[str]]]:
    found = []
    for line in CALLS.strip().splitlines():
        words = line.split()
        status = int(words.pop(0)[1:]) if words[0].startswith("!") else 0
        found.append((status, words))
    return found


def title_of(words: list[str]) -> str:
    return words[0] if words[0] in VERBS else " ".join(words[:2])


def closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with no room for keys that it does not name; what it says with `if` or `anyOf` stays as it is."""
    made = dict(schema)
    if "properties" in schema:
        made["properties"] = {key: closed(inner) for key, inner in schema["properties"].items()}
        if schema.get("type") == "object":
            made.setdefault("additionalProperties", False)
    if isinstance(schema.get("items"), dict):
        made["items"] = closed(schema["items"])
    return made


def check(title: str, value: Any, what: str = "") -> None:
    validator = Draft202012Validator(closed(result(VERBS[title])))
    faults = [f"{'/'.join(map(str, fault.path))}: {fault.message}" for fault in validator.iter_errors(value)]
    assert not faults, f"{title}{what}: {faults[:3]}"


class Sample:
    """A workspace, and what its verbs have told so far."""

    def __init__(self, folder) -> None:
        self.workspace = Workspace(folder)
        (self.workspace.work / "records.jsonl").write_text('{"id":"x","content":"plums"}\n{"content":"quinces"}\n')
        self.told: dict[str, str] = {}

    def run(self, status: int, words: list[str]) -> bytes:
        filled = [word.format(**self.told) if word.startswith("{") else word for word in words]
        done = self.workspace.run(*filled)
        assert done.returncode == status, (words, done.stderr)
        return done.stdout

    def remember(self, words: list[str], value: Any) -> None:
        if words[:2] == ["messages", "send"]:
            name = {"hello": "told", "do": "asked", "work": "work"}[value["body"]]
            self.told[name] = value["id"]
        if words[:2] == ["messages", "claim"]:
            self.told["token"] = value["token"]
        if words[:2] == ["changes", "read"] and value.get("head_cursor"):
            self.told["head"] = value["head_cursor"]
            self.told.setdefault("old", value["earliest_cursor"])


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Each call with what it printed with `--json`, and where it lists, with `--jsonl`."""
    sample = Sample(tmp_path_factory.mktemp("schema"))
    found = []
    for status, words in calls():
        verb = VERBS[title_of(words)]
        if words[:3] == ["changes", "read", "/project"] and "--all" in words:
            found.append((words, None, sample.run(status, [*words, "--jsonl"])))
            continue
        lines = sample.run(status, [*words, "--jsonl"]) if verb.jsonl else b""
        value = json.loads(sample.run(status, [*words, "--json"]))
        sample.remember(words, value)
        found.append((words, value, lines))
    return found


def test_every_verb_is_run():
    """All but the one whose result is that of the command that it runs."""
    assert set(VERBS) - {title_of(words) for _, words in calls()} == {"lock"}


def test_every_verb_declares_its_result():
    assert {title for title, verb in VERBS.items() if result(verb) is None} == {"lock"}


@pytest.mark.parametrize("title", [title for title, verb in VERBS.items() if result(verb) is not None])
def test_results_are_schemas(title):
    Draft202012Validator.check_schema(result(VERBS[title]))


def test_what_is_printed_as_one_object(printed):
    seen = [words for words, value, _ in printed if value is not None]
    assert len(seen) > len(VERBS)
    for words, value, _ in printed:
        if value is not None:
            check(title_of(words), value, f" ({' '.join(words)})")


def test_a_key_that_nobody_declared_is_seen():
    with pytest.raises(AssertionError, match="'more' was unexpected"):
        check("version", {"version": "1", "python": "3", "more": 1})
    with pytest.raises(AssertionError, match="'more' was unexpected"):
        check("memory list", {"unreadable": [{"path": "a", "code": "c", "message": "m", "more": 1}]})


def test_keys_stand_in_the_declared_order(printed):
    for words, value, _ in printed:
        declared = list(result(VERBS[title_of(words)]).get("properties", ()))
        if value is not None and declared:
            known = [key for key in value if key in declared]
            assert known == [key for key in declared if key in value], " ".join(words)


def test_what_is_printed_as_lines(printed):
    """Items and the page together are the object that `--json` prints, so they have its shape too."""
    listing = {title for title, verb in VERBS.items() if verb.jsonl}
    assert {title_of(words) for words, _, lines in printed if lines} == listing
    for words, _, lines in printed:
        if not lines:
            continue
        title = title_of(words)
        *items, page = (json.loads(line) for line in lines.splitlines())
        assert page.pop("type") == "page"
        assert len({item.pop("type") for item in items}) <= 1
        (key,) = set(result(VERBS[title])["required"]) - set(page)
        check(title, {**page, key: items}, f" ({' '.join(words)}) as lines")


@pytest.mark.parametrize("name", ["changes", "config", "messages", "records", "cli"])
def test_schemas_are_schemas(tmp_path, name):
    schema = json.loads(Workspace(tmp_path).run("schema", name, "--json").stdout)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(schema)
    for inner in schema["$defs"].values():
        Draft202012Validator.check_schema(inner)


def test_what_is_stored_has_its_shape(printed, tmp_path):
    """A listed record can be given in again, and a message is what the document holds."""
    workspace = Workspace(tmp_path)
    records = json.loads(workspace.run("schema", "records").stdout)
    taken = Draft202012Validator(records["$defs"]["input"])
    listed = [value for words, value, _ in printed if words[:2] == ["semantic", "list"]]
    for record in listed[0]["records"]:
        Draft202012Validator(records).validate(record)
        taken.validate(record)
    with pytest.raises(Exception, match="is not valid"):
        taken.validate({"id": "a"})
    sent = json.loads(workspace.run("messages", "send", "--target", "/project", "--body", "x", "--json").stdout)
    stored = json.loads(workspace.memory("view", f"/project/messages/{sent['id']}")["content"])
    Draft202012Validator(json.loads(workspace.run("schema", "messages").stdout)).validate(stored)
