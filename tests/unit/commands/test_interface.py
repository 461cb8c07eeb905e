import json

import pytest
from jsonschema import Draft202012Validator

from neosian_cli.commands import groups
from neosian_cli.commands.dispatch import read
from neosian_cli.commands.interface import document
from neosian_cli.commands.schema import SCHEMAS
from neosian_cli.commands.schema import document as named
from neosian_cli.errors import Failure
from tests.cli.playground import ENTRIES, VERBS


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name):
    schema = named(name)
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema")
    assert json.loads(json.dumps(schema)) == schema


def definition(name, verbs=VERBS):
    schema = document(verbs)
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})


def test_values_that_the_table_accepts_fit_the_schema():
    for argv in (["play", "show"], ["play", "show", "/a", "--limit", "500", "--all", "--extra", "a=b", "--ratio", "0"]):
        _, values = read(argv, ENTRIES)
        given = {key: value for key, value in values.items() if value is not None}
        definition("values.play.show").validate(given)


@pytest.mark.parametrize("bad", [{"limit": 0}, {"limit": "1"}, {"action": "x"}, {"unknown": 1}, {"extra": "a"}])
def test_values_that_the_table_refuses_do_not(bad):
    assert not definition("values.play.show").is_valid(bad)


def test_required_parameters():
    assert not definition("values.play.need").is_valid({"ns": "a", "id": ["b"]})
    assert not definition("values.hold").is_valid({"command": []})
    definition("values.hold").validate({"command": ["ls"]})


def test_errors_fit():
    check = definition("error")
    check.validate(Failure("not_found", "x").envelope())
    check.validate(Failure.conflict("exists", "x", hint="y").envelope())
    check.validate(Failure("io_error", "x", committed="unknown").envelope())
    assert not check.is_valid(Failure("conflict", "x").envelope())
    assert not check.is_valid(Failure("io_error", "x", committed="perhaps").envelope())
    assert not check.is_valid({"error": {"code": "nope"}})


def test_every_real_verb_is_in_it():
    defined = document()["$defs"]
    for verb in groups.everything():
        assert f"values.{verb.title.replace(' ', '.')}" in defined
