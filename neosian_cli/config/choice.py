"""Options and environment: which of them speaks, and what contradicts.

An option silences every variable of the same choice. An empty variable counts as unset, an empty option is a mistake.
"""

from __future__ import annotations

from contextlib import contextmanager

from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    Chosen = tuple[Any, str]  # a value, and where it came from

LONGEST_WAIT = 1_000_000.0
_DIGITS = frozenset("0123456789+-.eE")
WITHOUT_VARIABLE = ("mount",)


def flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def variable(name: str) -> str:
    return "NEOSIAN_" + name.upper()


def among(values: Mapping[str, Any], env: Mapping[str, str], *names: str) -> tuple[str, Chosen] | None:
    """The one of `names` that was chosen, with its value; raises `usage` or `invalid_argument` for two."""
    options = [name for name in names if _given(values, name)]
    if len(options) > 1:
        both = " and ".join(flag(name) for name in options)
        raise Failure("usage", f"{both} contradict each other; give one of them", options=[flag(n) for n in options])
    if options:
        name = options[0]
        return name, (values[name], f"option {flag(name)}")
    variables = [name for name in names if name not in WITHOUT_VARIABLE and env.get(variable(name))]
    if len(variables) > 1:
        both = " and ".join(variable(name) for name in variables)
        raise Failure(
            "invalid_argument",
            f"the environment variables {both} contradict each other",
            hint=f"unset one of them, or give {flag(variables[0])}, which silences both",
            variables=[variable(name) for name in variables],
        )
    if variables:
        name = variables[0]
        return name, (env[variable(name)], f"environment {variable(name)}")
    return None


def one(values: Mapping[str, Any], env: Mapping[str, str], name: str) -> Chosen | None:
    found = among(values, env, name)
    return found[1] if found else None


def _given(values: Mapping[str, Any], name: str) -> bool:
    value = values.get(name)
    if value == "":
        raise Failure("invalid_argument", f"{flag(name)} is empty", option=flag(name))
    return value is not None and value not in ([], ())


@contextmanager
def blaming(origin: str) -> Iterator[None]:
    """Add to a refusal of a value which option or variable gave it."""
    try:
        yield
    except Failure as failure:
        raise Failure(failure.code, f"{failure.message} ({origin})", hint=failure.hint, **failure.details) from None


def mounts(values: Mapping[str, Any], env: Mapping[str, str]) -> Chosen | None:
    """The mounts that `--scope`, `NEOSIAN_SCOPE` or `--mount` make, checked."""
    found = among(values, env, "scope", "mount")
    if found is None:
        return None
    from neosian_cli.model import mount

    name, (value, origin) = found
    with blaming(origin):
        if name == "scope":
            return (mount.make("memories", value),), origin
        made = tuple(mount.parse(spec) for spec in value)
        mount.check_distinct(made)
        return made, origin


def actor(values: Mapping[str, Any], env: Mapping[str, str]) -> Chosen | None:
    found = one(values, env, "actor")
    if found is not None:
        from neosian_cli.model import actor as grammar

        with blaming(found[1]):
            grammar.check(found[0])
    return found


def lock_timeout(values: Mapping[str, Any], env: Mapping[str, str]) -> Chosen | None:
    """Seconds: a decimal number from 0 to a million."""
    found = one(values, env, "lock_timeout")
    if found is None:
        return None
    text, origin = str(found[0]), found[1]
    try:
        seconds = float(text) if _DIGITS.issuperset(text) else -1.0
    except ValueError:
        seconds = -1.0
    if 0 <= seconds <= LONGEST_WAIT:
        return seconds, origin
    raise Failure(
        "invalid_argument",
        f"{excerpt(text)} is not a number of seconds such as 10, 0.5 or 0 ({origin})",
    )


def without_secrets(url: str) -> str:
    """The address as it may be shown: credentials before the host and the query blanked."""
    head, mark, _ = url.replace("#", "?").partition("?")
    scheme, slashes, rest = head.partition("://")
    if not slashes:
        scheme, rest = "", head
    host, slash, path = rest.partition("/")
    if "@" in host:
        host = "***@" + host.rpartition("@")[2]
    return f"{scheme}{slashes}{host}{slash}{path}{mark}{'***' if mark else ''}"
