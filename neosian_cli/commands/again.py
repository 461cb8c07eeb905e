"""Hints that can be typed as they stand: the commands in them name the store that this call was given.

What the environment chose is still in the environment when a hint is followed; what options chose is said again.
"""

from __future__ import annotations

import re
from shlex import quote

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from neosian_cli.commands.declare import Verb

STORE = ("profile", "root", "url", "config")
PLACE = (*STORE, "scope", "mount")
# A command with its verb, but for a request for help, and for one that names its store;
# the others take all of a store, or scopes in another sense.
_END = r"(?! --help)(?![^;,|&]* --root )(?=[\s,;:.)]|$)"
_IN_A_PLACE = re.compile(rf"\bneosian (?:(?:memory|changes|messages|semantic) [a-z][a-z_-]*|status){_END}")
_IN_A_STORE = re.compile(rf"\bneosian (?:verify|export|import){_END}")


def spell(hint: str, verb: Verb, values: Mapping[str, object]) -> str:
    """The hint of a call, each command in it with the options that chose this call's store."""
    own = {param.key for param in verb.params}
    for commands, keys in ((_IN_A_PLACE, PLACE), (_IN_A_STORE, STORE)):
        words = "".join(_words((key, values.get(key)) for key in keys if key not in own))
        hint = commands.sub(r"\g<0>" + words.replace("\\", r"\\"), hint)
    return hint


def _words(chosen: Iterable[tuple[str, object]]) -> Iterable[str]:
    for key, value in chosen:
        for item in value if isinstance(value, list) else [] if value is None else [value]:
            yield f" --{key} {quote(str(item))}"
