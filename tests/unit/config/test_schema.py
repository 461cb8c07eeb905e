from __future__ import annotations

import jsonschema
import pytest
import yaml

from neosian_cli.config import schema, sections
from neosian_cli.config.load import load
from neosian_cli.errors import Failure

from .test_load import CASES, FULL, SPACE, SPACES

CHECKED = jsonschema.Draft202012Validator(schema.document())

# What a JSON Schema cannot say: keys and names that stand twice, keys that are no text,
# and which spelling of a number or name was used.
ONLY_THE_READER = (
    "already",
    "stands on line",
    "a key must be text",
    "only in case",
    "24 hours",
    "true or false",
    "plain decimal",
    "merge keys",
    "no profile",
    "NUL",
    "cannot be shown",
)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(schema.document())


@pytest.mark.parametrize("text", [FULL, SPACE, "", "{}", "profiles: {a: {}}\n"])
def test_good_files_keep_the_schema(text):
    load("/c.yaml", text)
    CHECKED.validate(yaml.safe_load(text))


@pytest.mark.parametrize(
    "text", [case[0] for case in [*CASES, *SPACES] if not any(word in case[3] for word in ONLY_THE_READER)]
)
def test_bad_files_break_the_schema(text):
    assert not CHECKED.is_valid(yaml.safe_load(text))


def patterns(shape, found):
    if isinstance(shape, sections.Text) and shape.pattern:
        found.append(shape)
    for name in ("item", "value", "name"):
        if hasattr(shape, name):
            patterns(getattr(shape, name), found)
    for known in getattr(shape, "fields", {}).values():
        patterns(known.shape, found)
    return found


SAMPLES = [
    "a", "a:b", "a:b/c:d", "A:b", "a:", ":b", "a:.", "a:..", "a:...", "a:b/..", "a:b/c:..", "a:b#1", "a:b#", "a:..#1",
    "a-b:c", "a_b:c", "1a:b", "/x", "..", ".", "...", "x y", "x" * 63, "x" * 64, "x" * 128, "x" * 129, "a" * 32 + ":b",
    "a" * 33 + ":b", "/".join(["a:b"] * 8), "/".join(["a:b"] * 9), "30s", "1m30s", "500ms", "30", "s", "1.5h", "1.h",
    "http://x", "https://x:1/v1", "http://u@x", "http://x?y", "http://x/@y", "ftp://x", "http://", "KEY", "9KEY", "é",
    "a\n", "a:b\n",
]  # fmt: skip


@pytest.mark.parametrize("shape", patterns(sections.CONFIG, []), ids=lambda shape: shape.pattern[:20])
def test_patterns_say_what_the_checks_say(shape):
    pattern = jsonschema.Draft202012Validator(shape.schema())
    agreed = set()
    for sample in SAMPLES:
        try:
            shape.check(sample)
            good = True
        except Failure:
            good = False
        if sample.endswith("\n"):
            assert not good  # Python's `$` also matches before a final newline, JSON Schema's does not
            continue
        assert pattern.is_valid(sample) == good, sample
        agreed.add(good)
    assert agreed == {True, False}
