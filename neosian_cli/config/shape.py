"""The shapes that a configuration is declared in: one declaration makes the strict reader and the JSON Schema.

`check` turns a text into its value and raises `Failure` with `invalid_argument`; `build` does the same for the values
of a section. Neither knows the file: the reader adds file, line and key. Plain classes, as every command that finds a
configuration file makes them.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    Json = dict[str, Any]
    Lines = dict[str, int]


class Text:
    """A text that is not empty.

    `pattern` is what JSON Schema can say of `check`; `choices` lists all that is allowed.
    """

    __slots__ = ("check", "choices", "longest", "pattern")

    def __init__(
        self,
        check: Callable[[str], Any] | None = None,
        pattern: str | None = None,
        *,
        choices: Sequence[str] = (),
        longest: int | None = None,
    ) -> None:
        self.check = check
        self.pattern = pattern
        self.choices = tuple(choices)
        self.longest = longest

    def schema(self) -> Json:
        if self.choices:
            return {"type": "string", "enum": list(self.choices)}
        made: Json = {"type": "string", "minLength": 1}
        if self.longest is not None:
            made["maxLength"] = self.longest
        if self.pattern is not None:
            made["pattern"] = self.pattern
        return made


class Integer:
    """A whole number, within bounds that are included."""

    __slots__ = ("least", "most")

    def __init__(self, least: int | None = None, most: int | None = None) -> None:
        self.least = least
        self.most = most

    def schema(self) -> Json:
        made: Json = {"type": "integer"}
        if self.least is not None:
            made["minimum"] = self.least
        if self.most is not None:
            made["maximum"] = self.most
        return made


class Boolean:
    """True or false."""

    __slots__ = ()

    def schema(self) -> Json:
        return {"type": "boolean"}


class Listing:
    """Items of one shape. `distinct` names the required text key that no two may share; `fold`: in any case."""

    __slots__ = ("distinct", "fold", "item")

    def __init__(self, item: Shape, *, distinct: str | None = None, fold: bool = False) -> None:
        self.item = item
        self.distinct = distinct
        self.fold = fold

    def schema(self) -> Json:
        return {"type": "array", "items": self.item.schema()}


class Table:
    """Free names, each with a value of one shape."""

    __slots__ = ("name", "value")

    def __init__(self, name: Text, value: Shape) -> None:
        self.name = name
        self.value = value

    def schema(self) -> Json:
        return {
            "type": "object",
            "propertyNames": self.name.schema(),
            "additionalProperties": self.value.schema(),
        }


class Field:
    """A key of a section: the shape of its value, and the value where the key is absent."""

    __slots__ = ("default", "help", "required", "shape")

    def __init__(self, shape: Shape, help: str, *, required: bool = False, default: Any = None) -> None:  # noqa: A002
        self.shape = shape
        self.help = help
        self.required = required
        self.default = default

    def schema(self) -> Json:
        made = {"description": self.help, **self.shape.schema()}
        if self.default is not None:
            made["default"] = self.default
        return made


class Section:
    """Known keys only.

    `apart` holds pairs of keys that exclude each other; `needs` rules `(key, values, other)`: where `key` is one of
    `values`, `other` must stand beside it. `build` makes the value from the fields' values and the defaults of those
    that are absent, and from the line of each key ("" is the section itself).
    """

    __slots__ = ("apart", "build", "fields", "needs")

    def __init__(
        self,
        fields: Mapping[str, Field],
        build: Callable[[dict[str, Any], Lines], Any],
        *,
        apart: Sequence[tuple[str, str]] = (),
        needs: Sequence[tuple[str, tuple[str, ...], str]] = (),
    ) -> None:
        self.fields = fields
        self.build = build
        self.apart = apart
        self.needs = needs

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


if TYPE_CHECKING:
    Shape = Text | Integer | Boolean | Listing | Table | Section
