"""The head of a document's file: YAML between two lines `---`, above the body, which stands there byte for byte.

Only what JSON can say is taken: a date stays the text that was written, and what is no value of JSON (a key that is no
text, a number that is none, a tag) is refused rather than turned into something else.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from neosian_cli.model.codec import MAX_INTEGER
from neosian_cli.store.filestore.unfit import NEWER, Unfit, instant

if TYPE_CHECKING:
    import yaml

FENCE = "---"
FORMAT = 1
MOST = 10_000
"""How many values a head may have, each use of an anchor counted."""
DEEPEST = 50
_TAG = "tag:yaml.org,2002:"


class Live(NamedTuple):
    """A live document, its times spelled as this program spells them."""

    version: int
    created_at: str
    updated_at: str
    actor: str | None
    redacted: bool
    extra: dict[str, Any]
    content: str


def decode(data: bytes) -> Live:
    """The document of a file's bytes; raises `Unfit`."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise Unfit("is not UTF-8") from None
    lines = text.split("\n")
    if lines[0].rstrip("\r") != FENCE:
        raise Unfit("does not begin with a line ---")
    end = next((number for number, line in enumerate(lines) if number and line.rstrip("\r") == FENCE), None)
    if end is None:
        raise Unfit("has no second line ---")
    value = _mapping("\n".join(lines[1:end]))
    form = value.pop("neosian_format", None)
    if _is_count(form) and form > FORMAT:
        raise Unfit(f"has the format {form}", NEWER)
    version, actor, redacted = value.pop("version", None), value.pop("actor", None), value.pop("redacted", False)
    created_at, updated_at = (instant(value.pop(name, None), name) for name in ("created_at", "updated_at"))
    if form != FORMAT or not _is_count(version):
        raise Unfit("has no known format or no version")
    if not isinstance(actor, str | None) or not isinstance(redacted, bool):
        raise Unfit("has an actor or a redacted of the wrong kind")
    return Live(version, created_at, updated_at, actor, redacted, value, "\n".join(lines[end + 1 :]))


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _mapping(text: str) -> dict[str, Any]:
    import yaml

    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        value = None if node is None else _Values().of(node, 0)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise Unfit(f"has a head that is no YAML of plain values: {str(error).splitlines()[0]}") from None
    if not isinstance(value, dict):
        raise Unfit("has a head without keys")
    return value


class _Values:
    """Turns nodes into values; raises ValueError."""

    def __init__(self) -> None:
        self._count = 0

    def of(self, node: yaml.Node, depth: int) -> Any:
        import yaml

        self._count += 1
        if self._count > MOST or depth > DEEPEST:
            raise ValueError("it is too large or too deep")
        if isinstance(node, yaml.MappingNode) and node.tag == f"{_TAG}map":
            return self._mapping(node, depth)
        if isinstance(node, yaml.SequenceNode) and node.tag == f"{_TAG}seq":
            return [self.of(child, depth + 1) for child in node.value]
        if isinstance(node, yaml.ScalarNode):
            return _scalar(node)
        raise ValueError(f"it has a value of the kind {node.tag.removeprefix(_TAG)}")

    def _mapping(self, node: yaml.MappingNode, depth: int) -> dict[str, Any]:
        value: dict[str, Any] = {}
        for name, child in node.value:
            if name.tag != f"{_TAG}str":
                raise ValueError("a key is no text")
            if name.value in value:
                raise ValueError(f"the key {name.value[:60]!a} stands twice")
            value[name.value] = self.of(child, depth + 1)
        return value


def _scalar(node: yaml.ScalarNode) -> Any:
    from yaml.constructor import SafeConstructor

    kind, text = node.tag.removeprefix(_TAG), str(node.value)
    if kind in ("str", "timestamp"):
        return text
    read = {
        "null": SafeConstructor.construct_yaml_null,
        "bool": SafeConstructor.construct_yaml_bool,
        "int": SafeConstructor.construct_yaml_int,
        "float": SafeConstructor.construct_yaml_float,
    }.get(kind)
    if read is None:
        raise ValueError(f"it has a value of the kind {kind}")
    value = read(SafeConstructor(), node)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{text[:24]} is no number")
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise ValueError(f"the number {text[:24]} is beyond 53 bits")
    return value
