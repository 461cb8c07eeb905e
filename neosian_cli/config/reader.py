"""Nodes against shapes: every fault with its line and key, and typed values when there is none."""

from __future__ import annotations

from neosian_cli.config.shape import Boolean, Integer, Listing, Section, Table, Text
from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt
from neosian_cli.model.nearest import nearest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.config.shape import Shape
    from neosian_cli.config.tree import Node

NAMES = {
    "text": "text",
    "integer": "a number",
    "number": "a number",
    "boolean": "a truth value",
    "date": "a date",
    "null": "nothing",
    "merge": "a merge key",
    "list": "a list",
    "mapping": "a mapping",
}
LONGEST_NAME = 128
WANTED = {Text: "text", Integer: "a whole number", Boolean: "true or false", Listing: "a list"}


class Fault:
    """One thing that is wrong, and where: the line, and the way of keys to it."""

    __slots__ = ("hint", "key", "line", "message")

    def __init__(self, line: int, key: str, message: str, hint: str | None = None) -> None:
        self.line = line
        self.key = key
        self.message = message
        self.hint = hint


class Reader:
    """Reads one document. `faults` collects all that is wrong; the value returned means nothing unless it is empty."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def read(self, node: Node, shape: Shape, key: str) -> Any:
        if isinstance(shape, Text):
            return self._text(node, shape, key)
        if isinstance(shape, Integer):
            return self._integer(node, shape, key)
        if isinstance(shape, Boolean):
            return self._boolean(node, key)
        if isinstance(shape, Listing):
            return self._listing(node, shape, key)
        if isinstance(shape, Table):
            return self._table(node, shape, key)
        return self._section(node, shape, key)

    def _fault(self, node: Node, key: str, message: str, hint: str | None = None) -> Any:
        """Note the fault; the None that it answers takes the place of the value."""
        self.faults.append(Fault(node.line, key, message, hint))
        return None

    def _wrong_type(self, node: Node, shape: Shape, key: str) -> Any:
        wanted = WANTED.get(type(shape), "a mapping of keys to values")
        hint = None
        if isinstance(shape, Text) and node.kind not in ("list", "mapping") and node.value:
            hint = f'put it in quotes if it is meant as text: "{node.value[:60]}"'
        return self._fault(node, key, f"must be {wanted}, not {NAMES[node.kind]}", hint)

    def _text(self, node: Node, shape: Text, key: str) -> Any:
        if node.kind != "text":
            return self._wrong_type(node, shape, key)
        text: str = node.value
        if not text:
            return self._fault(node, key, "is empty")
        if shape.choices and text not in shape.choices:
            meant = nearest(text, shape.choices)
            hint = f"did you mean {meant}?" if meant else None
            return self._fault(node, key, f"{excerpt(text)} is none of {', '.join(shape.choices)}", hint)
        if shape.longest is not None and len(text) > shape.longest:
            return self._fault(node, key, f"is longer than {shape.longest} characters")
        if shape.check is None:
            return text
        try:
            return shape.check(text)
        except Failure as failure:
            return self._fault(node, key, failure.message, failure.hint)

    def _integer(self, node: Node, shape: Integer, key: str) -> Any:
        if node.kind != "integer":
            return self._wrong_type(node, shape, key)
        digits = node.value.lstrip("+-")
        if not (digits.isascii() and digits.isdigit()) or (digits[0] == "0" and len(digits) > 1) or len(digits) > 18:
            return self._fault(node, key, f"{excerpt(node.value)} is not a plain decimal number of at most 18 digits")
        number = int(node.value)
        if shape.least is not None and number < shape.least:
            return self._fault(node, key, f"{number} is less than {shape.least}")
        if shape.most is not None and number > shape.most:
            return self._fault(node, key, f"{number} is more than {shape.most}")
        return number

    def _boolean(self, node: Node, key: str) -> Any:
        if node.kind != "boolean":
            return self._wrong_type(node, Boolean(), key)
        word = node.value.lower()
        if word not in ("true", "false"):
            return self._fault(node, key, f"{excerpt(node.value)} must be written as true or false")
        return bool(word == "true")

    def _listing(self, node: Node, shape: Listing, key: str) -> Any:
        if node.kind != "list":
            return self._wrong_type(node, shape, key)
        values = []
        seen: dict[str, tuple[str, int]] = {}
        for index, child in enumerate(node.value):
            before = len(self.faults)
            value = self.read(child, shape.item, f"{key}[{index}]")
            if len(self.faults) > before:
                continue
            values.append(value)
            self._distinct(child, shape, f"{key}[{index}]", seen)
        return tuple(values)

    def _distinct(self, item: Node, shape: Listing, key: str, seen: dict[str, tuple[str, int]]) -> None:
        """Refuse an item whose distinguishing key says what an earlier item's said."""
        if shape.distinct is None:
            return
        name: Node = next(value for at, value in item.value if at.value == shape.distinct)
        folded = name.value.lower() if shape.fold else name.value
        if folded not in seen:
            seen[folded] = name.value, name.line
            return
        first, line = seen[folded]
        how = "stands" if first == name.value else f"differs only in case from {excerpt(first)}, which stands"
        self._fault(name, f"{key}.{shape.distinct}", f"{excerpt(name.value)} {how} on line {line} already")

    def _pairs(self, node: Node, key: str) -> Iterator[tuple[str, Node, Node]]:
        """The mapping's named values, doubled and unreadable keys left out (each is a fault)."""
        lines: dict[str, int] = {}
        for name, value in node.value:
            if name.kind == "merge":
                self._fault(name, _joined(key, "<<"), "merge keys are not read; write the values out")
            elif name.kind != "text":
                shown = name.value[:60] if isinstance(name.value, str) else ""
                hint = f'put it in quotes: "{shown}"' if shown else None
                self._fault(name, _joined(key, shown or "?"), f"a key must be text, not {NAMES[name.kind]}", hint)
            elif name.value in lines:
                message = f"the key stands on line {lines[name.value]} already"
                self._fault(name, _joined(key, name.value), message)
            else:
                lines[name.value] = name.line
                yield name.value, name, value

    def _table(self, node: Node, shape: Table, key: str) -> Any:
        if node.kind != "mapping":
            return self._wrong_type(node, shape, key)
        values: dict[str, Any] = {}
        for name, at, child in self._pairs(node, key):
            self._text(at, shape.name, _joined(key, name))
            values[name] = self.read(child, shape.value, _joined(key, name))
        return values

    def _section(self, node: Node, shape: Section, key: str) -> Any:
        if node.kind != "mapping":
            return self._wrong_type(node, shape, key)
        before = len(self.faults)
        values = {name: known.default for name, known in shape.fields.items()}
        present: dict[str, Node] = {}
        for name, at, child in self._pairs(node, key):
            known = shape.fields.get(name)
            if known is None:
                meant = nearest(name, shape.fields)
                hint = f"did you mean {meant}?" if meant else f"the keys here are {', '.join(shape.fields)}"
                self._fault(at, _joined(key, name), "unknown key", hint)
                continue
            present[name] = at
            values[name] = self.read(child, known.shape, _joined(key, name))
        self._rules(node, shape, key, present, values)
        if len(self.faults) > before:
            return None
        try:
            return shape.build(values, {"": node.line, **{name: at.line for name, at in present.items()}})
        except Failure as failure:
            return self._fault(node, key, failure.message, failure.hint)

    def _rules(self, node: Node, shape: Section, key: str, present: dict[str, Node], values: dict[str, Any]) -> None:
        for name, known in shape.fields.items():
            if known.required and name not in present:
                self._fault(node, _joined(key, name), "is missing")
        for one, other in shape.apart:
            if one in present and other in present:
                later = max(present[one], present[other], key=lambda at: at.line)
                self._fault(later, _joined(key, later.value), f"{one} and {other} cannot stand together")
        for name, wanted, other in shape.needs:
            if name in present and values[name] in wanted and other not in present:
                self._fault(present[name], _joined(key, other), f"is missing; {name} {values[name]} needs it")


def _joined(key: str, name: str) -> str:
    shown = name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"
    return f"{key}.{shown}" if key else shown
