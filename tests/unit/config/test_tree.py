from __future__ import annotations

import pytest
import yaml

from neosian_cli.config import tree
from neosian_cli.errors import Failure


@pytest.fixture(params=["native", "pure"], autouse=True)
def parser(request, monkeypatch):
    """Both parsers of PyYAML: the one with libyaml, and the one that is there without it."""
    if request.param == "native" and not yaml.__with_libyaml__:
        pytest.skip("PyYAML was built without libyaml")
    if request.param == "pure":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)


def failure(text):
    with pytest.raises(Failure) as caught:
        tree.compose(text, "/c.yaml")
    assert caught.value.code == "invalid_config"
    assert caught.value.details["file"] == "/c.yaml"
    return caught.value


def plain(node):
    if node.kind == "mapping":
        return {plain(name): plain(value) for name, value in node.value}
    if node.kind == "list":
        return [plain(item) for item in node.value]
    return node.value


@pytest.mark.parametrize("text", ["", "\n", "# only words\n", "---\n", "---\n...\n", "~\n", "null"])
def test_nothing(text):
    assert tree.compose(text, "/c.yaml") is None


def test_a_tree_and_its_lines():
    node = tree.compose('# c\na:\n  - {b: "x", c: [y, z]}\n  -\n    d: |\n      text\n', "/c.yaml")
    assert plain(node) == {"a": [{"b": "x", "c": ["y", "z"]}, {"d": "text\n"}]}
    name, items = node.value[0]
    assert (node.line, name.line, items.line) == (2, 2, 3)
    assert [item.line for item in items.value] == [3, 5]


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("word", "text"),
        ("cli:me", "text"),
        ("30s", "text"),
        ("~/state", "text"),
        ('"12"', "text"),
        ("'true'", "text"),
        ("12", "integer"),
        ("-1", "integer"),
        ("0x10", "integer"),
        ("010", "integer"),
        ("1_000", "integer"),
        ("1:30", "integer"),
        ("1.5", "number"),
        (".inf", "number"),
        ("true", "boolean"),
        ("NO", "boolean"),
        ("off", "boolean"),
        ("2026-01-02", "date"),
        ("2026-01-02T03:04:05Z", "date"),
        ("~", "null"),
        ("", "null"),
        ("<<", "merge"),
        ("=", "text"),
    ],
)
def test_kinds_of_words(word, kind):
    assert tree.compose(f"a: {word}", "/c.yaml").value[0][1].kind == kind


BOMB = "a: &a [x, x]\n" + "".join(
    f"{new}: &{new} [*{old}, *{old}]\n" for old, new in zip("abcdefg", "bcdefgh", strict=True)
)


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        (BOMB, 1, "anchors"),
        ("a: 1\nb: &x {c: 1}\n", 2, "anchors"),
        ("a: 1\nb: *x\n", 2, "anchors"),
        ("&x a: 1\n", 1, "anchors"),
        ("a: 1\n---\nb: 1\n", 2, "second document"),
        ("a: !!python/object/apply:os.system ['true']\n", 1, "tags"),
        ("a:\n  - !!str 1\n", 2, "tags"),
        ("a: !x\n  b: 1\n", 1, "tags"),
        ("\n" + "[" * 40, 2, "nest"),
        ("[" * 100_000, 1, "nest"),
        ("a: " + "{a: " * 40, 1, "nest"),
        ("a: 1\n b: 2\n", 2, "not YAML"),
        ("a: [1,\nb: }\n", 2, "not YAML"),
        ('a: "x\n', 2, "not YAML"),
        ("a:\n\t- b\n", 2, "not YAML"),
        ("a: @x\n", 1, "not YAML"),
        ("a: %x\n", 1, "not YAML"),
        ("%YAML 9.9\n---\na: 1\n", 1, "not YAML"),
        ('a: "\\xZZ"\n', 1, "not YAML"),
    ],
)
def test_refused(text, line, what):
    found = failure(text)
    assert what in found.message
    assert found.details["line"] == line
