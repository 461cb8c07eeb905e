"""Conditions on metadata: `--filter K=V` and `--where 'KEY OP VALUE'`.

A condition holds only where its key is present, `!=` too. All conditions of a query hold together.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import decimals
from neosian_cli.model.grammar import excerpt
from neosian_cli.model.value import value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_KEY = 256
OPERATORS = (">=", "<=", "!=", "=", ">", "<", "in")
NUMERIC = frozenset({">", ">=", "<", "<="})
ENUM_NAMES = {
    "PREDICATE_OP_EQ": "=",
    "PREDICATE_OP_NEQ": "!=",
    "PREDICATE_OP_GT": ">",
    "PREDICATE_OP_GTE": ">=",
    "PREDICATE_OP_LT": "<",
    "PREDICATE_OP_LTE": "<=",
    "PREDICATE_OP_IN": "in",
}
BLANKS = (" ", "\t")


@value
class Predicate:
    """One condition. `in` has one or more values, every other operator exactly one."""

    key: str
    operator: str
    values: tuple[str, ...]

    def accepts(self, value: str) -> bool:
        """Whether a stored value that is present satisfies the condition."""
        if self.operator == "!=":
            return value != self.values[0]
        if self.operator not in NUMERIC:
            return value in self.values
        stored, given = decimals.parse(value), decimals.parse(self.values[0])
        if stored is None or given is None:
            return False
        order = decimals.compare(stored, given)
        if order == 0:
            return self.operator in (">=", "<=")
        return (order > 0) == (self.operator[0] == ">")

    def matches(self, metadata: Mapping[str, str]) -> bool:
        return self.key in metadata and self.accepts(metadata[self.key])


def check_key(key: str, what: str) -> str:
    """1 to 256 bytes of UTF-8; raises `invalid_argument`."""
    if not 1 <= len(key.encode()) <= MAX_KEY:
        raise Failure("invalid_argument", f"the key of {what} has {len(key.encode())} bytes, not 1 to {MAX_KEY}")
    return key


def parse_filter(text: str) -> Predicate:
    """`K=V`, split at the first `=`: the key is present and equal. Raises `invalid_argument`."""
    key, equals, value = text.partition("=")
    if not equals:
        raise Failure("invalid_argument", f"the filter {excerpt(text)} is not of the form KEY=VALUE")
    return Predicate(check_key(key, f"the filter {excerpt(text)}"), "=", (value,))


def parse_where(text: str) -> Predicate:
    """`KEY OP VALUE`: key up to the first blank, operator, one blank, the rest as it stands; or `invalid_argument`."""
    key, rest = _split_at_blank(text)
    what = f"the condition {excerpt(text)}"
    if not key or not rest:
        raise Failure("invalid_argument", f"{what} is not of the form 'KEY OPERATOR VALUE'", hint=_known())
    operator, rest = _take_operator(rest.lstrip(" \t"), what)
    if rest[:1] in BLANKS:
        rest = rest[1:]
    values = _list_of(rest, what) if operator == "in" else (rest,)
    if operator in NUMERIC and decimals.parse(rest) is None:
        raise Failure("invalid_argument", f"{what} compares with {excerpt(rest)}, which is not a decimal number")
    return Predicate(check_key(key, what), operator, values)


def _known() -> str:
    return f"operators are {', '.join(OPERATORS)}"


def _split_at_blank(text: str) -> tuple[str, str]:
    for index, character in enumerate(text):
        if character in BLANKS:
            return text[:index], text[index:]
    return text, ""


def _take_operator(text: str, what: str) -> tuple[str, str]:
    word, rest = _split_at_blank(text)
    if word in ENUM_NAMES:
        return ENUM_NAMES[word], rest
    for operator in OPERATORS:
        if text.startswith(operator) and (operator != "in" or text[2:3] in ("", "[", *BLANKS)):
            return operator, text[len(operator) :]
    raise Failure("invalid_argument", f"{what} has no known operator", hint=_known())


def _list_of(text: str, what: str) -> tuple[str, ...]:
    """`a,b,c`, or a JSON array of strings."""
    if not text.startswith("["):
        return tuple(text.split(","))
    from neosian_cli.model import codec

    try:
        values = codec.ingest(text)
    except ValueError as error:
        raise Failure("invalid_argument", f"{what} has a list that is not JSON: {error}") from None
    if not isinstance(values, list) or not values or not all(isinstance(value, str) for value in values):
        raise Failure("invalid_argument", f"{what} has a list that is not one or more strings")
    return tuple(values)
