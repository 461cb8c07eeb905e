"""The shapes that a configuration is declared in: one declaration makes the strict reader and the JSON Schema.

`check` turns a text into its value and raises `Failure` with `invalid_argument`; `build` does the same for the values
of a section. Neither knows the file: the reader adds file, line and key.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Json = dict[str, Any]
Lines = dict[str, int]


@dataclass(frozen=True, slots=True)
class Text:
    """A text that is not empty.

    `pattern` is what JSON Schema can say of `check`; `choices` lists all that is allowed.
    """

    check: Callable[[str], Any] | None = None
    pattern: str | None = None
    choices: tuple[str, ...] = ()
    longest: int | None = None

    def schema(self) -> Json:
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        made: Json = {"type": "string", "minLength": 1}
        if self.longest is not None:
            made["maxLength"] = self.longest
        if self.pattern is not None:
            made["pattern"] = self.pattern
        return made


@dataclass(frozen=True, slots=True)
class Integer:
    least: int | None = None
    most: int | None = None

    def schema(self) -> Json:
        made: Json = {"type": "integer"}
        if self.least is not None:
            made["minimum"] = self.least
        if self.most is not None:
            made["maximum"] = self.most
        return made


@dataclass(frozen=True, slots=True)
class Boolean:
    def schema(self) -> Json:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Listing:
    """Items of one shape. `distinct` names the required text key that no two may share; `fold`: in any case."""

    item: Shape
    distinct: str | None = None
    fold: bool = False

    def schema(self) -> Json:
        return {"type": "array", "items": self.item.schema()}


@dataclass(frozen=True, slots=True)
class Table:
    """Free names, each with a value of one shape."""

    name: Text
    value: Shape

    def schema(self) -> Json:
        return {
            "type": "object",
            "propertyNames": self.name.schema(),
            "additionalProperties": self.value.schema(),
        }


@dataclass(frozen=True, slots=True)
class Field:
    shape: Shape
    help: str
    required: bool = False
    default: Any = None

    def schema(self) -> Json:
        made = {"description": self.help, **self.shape.schema()}
        if self.default is not None:
            made["default"] = self.default
        return made


@dataclass(frozen=True, slots=True)
class Section:
    """Known keys only.

    `apart` holds pairs of keys that exclude each other; `needs` rules `(key, values, other)`: where `key` is one of
    `values`, `other` must stand beside it. `build` makes the value from the fields' values and the defaults of those
    that are absent, and from the line of each key ("" is the section itself).
    """

    fields: Mapping[str, Field]
    build: Callable[[dict[str, Any], Lines], Any]
    apart: tuple[tuple[str, str], ...] = ()
    needs: tuple[tuple[str, tuple[str, ...], str], ...] = field(default=())

    def schema(self) -> Json:
        made: Json = {
            "type": "object",
            "additionalProperties": False,
            "properties": {name: known.schema() for name, known in self.fields.items()},
        }
        required = [name for name, known in self.fields.items() if known.required]
        if required:
            made["required"] = required
        rules: list[Json] = [{"not": {"required": list(pair)}} for pair in self.apart]
        for key, values, other in self.needs:
            when = {"properties": {key: {"enum": list(values)}}, "required": [key]}
            rules.append({"if": when, "then": {"required": [other]}})
        if rules:
            made["allOf"] = rules
        return made


Shape = Text | Integer | Boolean | Listing | Table | Section
