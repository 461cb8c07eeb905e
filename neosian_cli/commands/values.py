"""From the words of a command line to the values of a verb: the one place where they are judged.

Both parsers hand over the same raw form: for each key the text as given, True for a switch, a list where a parameter
repeats, None or nothing where it was not given.
"""

from __future__ import annotations

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neosian_cli.commands.declare import Argument, Option, Param, Verb

    Raw = Mapping[str, str | bool | list[str] | None]

# More than any bound that an option has, and all that JSON keeps exactly wherever a number is stored or shown.
MAX_DIGITS = 15
_FLOAT = frozenset("0123456789+-.eE")
# Names of files may hold any byte; what is read piece by piece is judged when it is read, a cursor when it is decoded.
_ANY_BYTES = ("file", "dir", "source", "cursor")


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """The choice that was probably meant."""
    from neosian_cli.model import nearest as names

    known = list(choices)
    beginning = (choice for choice in known if len(word.strip("-")) > 1 and choice.startswith(word))
    return names.nearest(word, known) or next(beginning, None)


def quoted(text: str) -> str:
    """`text` in a message: quoted, and not too long."""
    return f"'{text}'" if len(text) <= 60 else f"'{text[:56]}…'"


def hint_for(verb: Verb) -> str:
    """What to run to see how a verb is called."""
    return f"neosian {verb.title} --help"


def usage(verb: Verb, message: str, **details: object) -> Failure:
    """A command line that cannot be understood."""
    return Failure("usage", f"{verb.title}: {message}", hint=hint_for(verb), **details)


def _refuse(param: Argument | Option, text: str, reason: str) -> Failure:
    return Failure("invalid_argument", f"{param.label}: {quoted(text)} {reason}", argument=param.label)


def _bounded(param: Argument | Option, text: str, number: float) -> None:
    low, high = param.low, param.high
    if (low is None or number >= low) and (high is None or number <= high):
        return
    if low is not None and high is not None:
        raise _refuse(param, text, f"is not between {low:g} and {high:.0f}")
    bound = f"at least {low:g}" if low is not None else f"at most {high:.0f}"
    raise _refuse(param, text, f"is not {bound}")


def _integer(param: Argument | Option, text: str) -> int:
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not (digits.isascii() and digits.isdigit()):
        raise _refuse(param, text, "is not a whole number")
    if len(digits) > MAX_DIGITS:
        raise _refuse(param, text, "has too many digits")
    number = int(text)
    _bounded(param, text, number)
    return number


def _real(param: Argument | Option, text: str) -> float:
    try:
        number = float(text) if _FLOAT.issuperset(text) else None
    except ValueError:
        number = None
    if number is None or number in (float("inf"), float("-inf")):
        raise _refuse(param, text, "is not a number")
    _bounded(param, text, number)
    return number


def _choice(param: Argument | Option, text: str) -> str:
    if text in param.choices:
        return text
    meant = nearest(text, param.choices)
    likely = f"; did you mean {meant}?" if meant else ""
    raise _refuse(param, text, f"is none of {', '.join(param.choices)}{likely}")


def coerce(param: Argument | Option, text: str) -> object:
    """The value of one text; raises `invalid_argument`."""
    if param.kind not in _ANY_BYTES:
        try:
            text.encode()
        except UnicodeEncodeError:
            raise _refuse(param, text, "is not UTF-8") from None
    if param.kind == "int":
        return _integer(param, text)
    if param.kind == "float":
        return _real(param, text)
    if param.kind == "choice":
        return _choice(param, text)
    if "\0" in text:
        raise _refuse(param, text, "holds a NUL")
    return text


def _value(param: Param, given: str | bool | list[str] | None) -> object:
    if param.kind == "flag":
        return bool(given)
    if given is None or given == []:
        return [] if param.repeat else getattr(param, "default", None)
    if param.kind == "rest":
        return given
    if isinstance(given, list):
        return [coerce(param, text) for text in given]  # type: ignore[arg-type]
    return coerce(param, given)  # type: ignore[arg-type]


def _is_given(raw: Raw, key: str) -> bool:
    """Whether the command line names it; an empty text counts."""
    given = raw.get(key)
    return not (given is None or given is False or given == [])


def settle(verb: Verb, raw: Raw) -> dict[str, object]:
    """The value of every parameter of `verb`; raises `usage` or `invalid_argument`."""
    for group in verb.exclusive:
        given = [param.label for param in verb.everything if param.key in group and _is_given(raw, param.key)]
        if len(given) > 1:
            raise usage(verb, f"{' and '.join(given)} exclude each other")
    missing = [param.label for param in verb.everything if param.required and raw.get(param.key) in (None, [])]
    if missing:
        labels = f"{', '.join(missing[:-1])} and {missing[-1]} are" if missing[1:] else f"{missing[0]} is"
        raise usage(verb, f"{labels} missing", argument=missing[0], missing=missing)
    try:
        return {param.key: _value(param, raw.get(param.key)) for param in verb.everything}
    except Failure as failure:
        failure.hint = failure.hint or hint_for(verb)
        raise
