"""YAML as a tree of nodes that know their lines, with the parts of YAML left out that make it dangerous or surprising.

Only what a person writes by hand is read: mappings, lists, and scalars. Anchors, aliases and merge keys are refused, so
a short file cannot stand for a huge one; tags are refused, so none can choose a type; nesting is bounded. A plain word
that YAML would turn into a number, date or truth value keeps that kind, so that a reader who wants text can say
"quote it" instead of guessing.
"""

from __future__ import annotations

from neosian_cli.config.file import invalid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any, NoReturn

DEEPEST = 32


class Node:
    """`kind` is text, integer, boolean, null, number, date, merge, list or mapping; `line` counts from 1.

    A list's value holds nodes, a mapping's value holds pairs of nodes in the order of the file.
    """

    __slots__ = ("kind", "line", "value")

    def __init__(self, kind: str, value: Any, line: int) -> None:
        self.kind = kind
        self.value = value
        self.line = line


def compose(text: str, file: str) -> Node | None:
    """The one document of the text, None when it holds nothing; raises `invalid_config`."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _document(yaml.parse(text, Loader=loader), file)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        problem = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be understood"
        raise invalid(file, f"not YAML: {problem}", line=mark.line + 1 if mark else None) from None


def _document(events: Iterable[Any], file: str) -> Node | None:
    root: Node | None = None
    stream = iter(events)
    documents = 0
    for event in stream:
        name = type(event).__name__
        if name in ("StreamStartEvent", "DocumentEndEvent", "StreamEndEvent"):
            continue
        if name == "DocumentStartEvent":
            documents += 1
            if documents > 1:
                raise invalid(file, "a second document begins here; only one is read", line=_line(event))
            continue
        root = _node(event, stream, file, 1)
    return None if root is None or root.kind == "null" else root


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _node(event: Any, events: Iterator[Any], file: str, depth: int) -> Node:
    name = type(event).__name__
    if name == "AliasEvent" or event.anchor is not None:
        _refuse(event, file, "anchors and aliases (& and *) are not read; write the value out")
    if event.tag is not None:
        _refuse(event, file, f"tags such as {ascii(event.tag)[1:-1][:60]} are not read")
    if depth > DEEPEST:
        _refuse(event, file, "nested too deeply")
    if name == "ScalarEvent":
        return Node("text" if event.style else plain_kind(event.value), event.value, _line(event))
    children: list[Node] = []
    node = Node("list" if name == "SequenceStartEvent" else "mapping", children, _line(event))
    for inner in events:
        if type(inner).__name__ in ("SequenceEndEvent", "MappingEndEvent"):
            break
        children.append(_node(inner, events, file, depth + 1))
    if node.kind == "mapping":
        node.value = list(zip(children[::2], children[1::2], strict=True))
    return node


def _refuse(event: Any, file: str, message: str) -> NoReturn:
    raise invalid(file, message, line=_line(event))


def plain_kind(word: str) -> str:
    """What YAML makes of an unquoted word."""
    import yaml

    for tag, pattern in yaml.SafeLoader.yaml_implicit_resolvers.get(word[:1], ()):
        if pattern.match(word):
            return {
                "bool": "boolean",
                "int": "integer",
                "float": "number",
                "timestamp": "date",
                "null": "null",
                "merge": "merge",
            }.get(tag.rpartition(":")[2], "text")
    return "text"
