"""The fast parser: reads a well-formed command line from the table of options, and nothing else.

Whatever it does not understand to the last word it leaves to Typer (see `typer_door`), which gives help and says what
is wrong. The import of Typer alone costs several starts of Python. Where this parser answers, Typer gives the same
values.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.commands.declare import Verb


def split_rest(verb: Verb, words: Sequence[str]) -> tuple[list[str], list[str] | None]:
    """The words before the first `--` and those after it, for a verb that takes a rest; else all, and None."""
    if verb.rest is None or "--" not in words:
        return list(words), None
    cut = list(words).index("--")
    return list(words[:cut]), list(words[cut + 1 :])


def _place(verb: Verb, words: list[str], raw: dict[str, str | bool | list[str] | None]) -> bool:
    """Give the words to the arguments; whether they fit."""
    arguments = verb.arguments
    repeated = bool(arguments) and arguments[-1].repeat
    fewest = sum(argument.required for argument in arguments)
    if len(words) < fewest or (len(words) > len(arguments) and not repeated):
        return False
    for index, argument in enumerate(arguments):
        if argument.repeat:
            raw[argument.key] = words[index:]
        else:
            raw[argument.key] = words[index] if index < len(words) else None
    return True


def parse(verb: Verb, words: Sequence[str]) -> dict[str, str | bool | list[str] | None] | None:
    """The raw values of `words` (without those of a rest), or None."""
    raw: dict[str, str | bool | list[str] | None] = {}
    lookup = verb.lookup
    places: list[str] = []
    index = 0
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            places.extend(words[index:])
            break
        if word[:1] != "-" or word == "-":
            places.append(word)
            continue
        name, equals, text = word.partition("=")
        param = lookup.get(name)
        if param is None or (equals and name[:2] != "--"):
            return None
        if param.kind == "flag":
            if equals:
                return None
            raw[param.key] = True
            continue
        if not equals:
            if index == len(words):
                return None
            text = words[index]
            index += 1
        if param.repeat:
            held = raw.setdefault(param.key, [])
            assert isinstance(held, list)
            held.append(text)
        else:
            raw[param.key] = text
    return raw if _place(verb, places, raw) else None
