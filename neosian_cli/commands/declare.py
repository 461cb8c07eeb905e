"""What a verb is: the one table from which parsers, help, manual pages, completions and schemas are made.

A module of a group declares its verbs as a tuple `VERBS`. Plain classes, no dataclasses and no `typing`: these modules
are loaded by every call.

Kinds of values: `str`, `int`, `float` (both with bounds), `choice`, `file` and `dir` (names that may hold any byte),
and three that are read from elsewhere when they say so, `-` being stdin, `@FILE` a file and `@@x` the text `@x`:
`text` (UTF-8), `bytes`, and `source` (`-`, `@FILE` or FILE: opened and read piece by piece).
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from neosian_cli.commands.call import Call

    Run = str | Callable[[Call], int]

READ_KINDS = ("text", "bytes", "source")
KINDS = ("str", "int", "float", "choice", "cursor", "file", "dir", *READ_KINDS)
_METAVARS = {"int": "N", "float": "NUMBER", "file": "FILE", "dir": "DIR", "source": "FILE"}


class Argument:
    """A value that is told by its place. `repeat` takes all that are left, and stands last."""

    __slots__ = ("choices", "complete", "default", "help", "high", "key", "kind", "low", "name", "repeat", "required")

    def __init__(
        self,
        name: str,
        help: str,  # noqa: A002
        *,
        required: bool = True,
        repeat: bool = False,
        kind: str = "str",
        choices: Sequence[str] = (),
        low: float | None = None,
        high: float | None = None,
        complete: str | None = None,
    ) -> None:
        self.name = name
        self.key = name.lower().replace("-", "_")
        self.help = help
        self.required = required
        self.repeat = repeat
        self.kind = "choice" if choices else kind
        self.choices = tuple(choices)
        self.low = low
        self.high = high
        self.default: object = None
        self.complete = complete

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.name

    @property
    def usage(self) -> str:
        """How a synopsis shows it."""
        shown = f"{self.name}…" if self.repeat else self.name
        return shown if self.required else f"[{shown}]"


class Option:
    """A value that is told by its name. `env` is the variable that stands in for it, `complete` what a shell offers."""

    __slots__ = (
        "choices", "complete", "default", "env", "flags", "help", "high", "key", "kind", "low", "metavar", "repeat",
        "required",
    )  # fmt: skip

    def __init__(
        self,
        *flags: str,
        help: str,  # noqa: A002
        kind: str = "str",
        default: object = None,
        metavar: str | None = None,
        repeat: bool = False,
        required: bool = False,
        choices: Sequence[str] = (),
        low: float | None = None,
        high: float | None = None,
        env: str | None = None,
        complete: str | None = None,
    ) -> None:
        self.flags = flags
        self.key = flags[0].lstrip("-").replace("-", "_")
        self.help = help
        self.kind = "choice" if choices else kind
        self.default = default
        self.choices = tuple(choices)
        self.metavar = metavar or "|".join(choices) or _METAVARS.get(kind, "TEXT")
        self.repeat = repeat
        self.required = required
        self.low = low
        self.high = high
        self.env = env
        self.complete = complete

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.flags[0]

    @property
    def usage(self) -> str:
        """How a synopsis shows it."""
        shown = f"{self.flags[0]} {self.metavar}"
        shown = shown if self.required else f"[{shown}]"
        return f"{shown}…" if self.repeat else shown


class Flag:
    """A switch: there or not."""

    __slots__ = ("flags", "help", "key")

    kind = "flag"
    repeat = False
    required = False

    def __init__(self, *flags: str, help: str) -> None:  # noqa: A002
        self.flags = flags
        self.key = flags[0].lstrip("-").replace("-", "_")
        self.help = help

    @property
    def label(self) -> str:
        """How messages name it."""
        return self.flags[0]

    @property
    def usage(self) -> str:
        """How a synopsis shows it."""
        return f"[{self.flags[0]}]"


class Rest:
    """All that stands after `--`, as it is; at least one word."""

    __slots__ = ("help", "key", "name")

    kind = "rest"
    repeat = True
    required = True

    def __init__(self, name: str, help: str) -> None:  # noqa: A002
        self.name = name
        self.key = name.lower()
        self.help = help

    @property
    def label(self) -> str:
        """How messages name it."""
        return f"{self.name} after --"

    @property
    def usage(self) -> str:
        """How a synopsis shows it."""
        return f"-- {self.name}…"


if TYPE_CHECKING:
    Param = Argument | Option | Flag | Rest

OUTPUT: tuple[Flag, ...] = (
    Flag("--json", help="print the result as one JSON object, and errors too"),
    Flag("--quiet", "-q", help="no hints, no progress"),
)
JSON_LINES = Flag("--jsonl", help="print one JSON object a line, the last one of the type page")
WRITE = Flag("--write", help="do it; without this the verb only shows what it would do")

SELECTION: tuple[Option, ...] = (
    Option("--profile", metavar="NAME", env="NEOSIAN_PROFILE", complete="profile", help="a profile of config.yaml"),
    Option("--root", kind="dir", env="NEOSIAN_ROOT", complete="dir", help="the directory of a local store"),
    Option(
        "--url",
        metavar="URL",
        env="NEOSIAN_URL",
        help="a served store (there is none yet); its token is taken from NEOSIAN_TOKEN",
    ),
    Option("--scope", metavar="SCOPE", env="NEOSIAN_SCOPE", complete="scope", help="mount this scope at /memories"),
    Option(
        "--mount",
        metavar="SPEC",
        repeat=True,
        help="mount a scope under a name: scope=SCOPE,path=NAME[,ro|,eo]; not together with --scope",
    ),
    Option("--actor", metavar="ACTOR", env="NEOSIAN_ACTOR", help="who writes, as kind:id"),
    Option("--config", kind="file", env="NEOSIAN_CONFIG", complete="file", help="instead of <home>/config.yaml"),
    Option(
        "--lock-timeout",
        kind="float",
        low=0,
        high=1_000_000,
        metavar="SECONDS",
        env="NEOSIAN_LOCK_TIMEOUT",
        help="how long to wait for another process; 10 by default, 0 is one try",
    ),
)


def paging(high: int = 500, default: int = 50) -> tuple[Option, Option]:
    """The options of verbs that answer page by page."""
    return (
        Option("--limit", kind="int", low=1, high=high, default=default, help="how many at most"),
        Option("--cursor", kind="cursor", metavar="CURSOR", help="go on after the page whose next_cursor this is"),
    )


class Verb:
    """One verb.

    `run` is a function of a `Call` that returns the exit status, or "module:function". `selection` adds the options
    that choose a store; `storeless` verbs only look at that choice, all others refuse a served store. `mutates` tells
    whether a call changes something: a bool, or a function of the values. `preview` adds `--write`, without which
    nothing is changed. `exclusive` holds groups of keys of which at most one may be given. `exits` names statuses worth
    a line in the manual, beside those that every verb has. `result` is the JSON Schema of what `--json` prints, or
    "module:NAME" of it.
    """

    __slots__ = (
        "_lookup", "aliases", "description", "examples", "exclusive", "exits", "group", "jsonl", "mutates", "name",
        "params", "preview", "result", "run", "selection", "storeless", "summary",
    )  # fmt: skip

    def __init__(
        self,
        group: str | None,
        name: str,
        summary: str,
        *,
        run: Run,
        params: Sequence[Param] = (),
        aliases: Sequence[str] = (),
        description: str = "",
        selection: bool = True,
        storeless: bool = False,
        jsonl: bool = False,
        mutates: bool | Callable[[Mapping[str, object]], bool] = False,
        preview: bool = False,
        exclusive: Sequence[Sequence[str]] = (),
        examples: Sequence[str] = (),
        exits: Sequence[int] = (),
        result: str | Mapping[str, object] | None = None,
    ) -> None:
        self.group = group
        self.name = name
        self.summary = summary
        self.run = run
        self.params = (*params, WRITE) if preview else tuple(params)
        self.aliases = tuple(aliases)
        self.description = description
        self.selection = selection
        self.storeless = storeless
        self.jsonl = jsonl
        self.mutates = mutates
        self.preview = preview
        self.exclusive = (*exclusive, ("json", "jsonl")) if jsonl else tuple(exclusive)
        self.examples = tuple(examples)
        self.exits = tuple(exits)
        self.result = result
        self._lookup: dict[str, Option | Flag] | None = None

    @property
    def title(self) -> str:
        """How a person calls it: `memory write`."""
        return f"{self.group} {self.name}" if self.group else self.name

    @property
    def usual(self) -> tuple[Option | Flag, ...]:
        """The options that it shares with others; one of its own stands in the place of a shared one of that name."""
        lines = (JSON_LINES,) if self.jsonl else ()
        own = {param.key for param in self.params}
        chosen = [option for option in SELECTION if option.key not in own] if self.selection else []
        return (*chosen, OUTPUT[0], *lines, OUTPUT[1])

    @property
    def everything(self) -> tuple[Param, ...]:
        """Its own parameters, then those that it shares."""
        return (*self.params, *self.usual)

    @property
    def arguments(self) -> tuple[Argument, ...]:
        """What is told by its place, in order."""
        return tuple(param for param in self.params if isinstance(param, Argument))

    @property
    def rest(self) -> Rest | None:
        """What takes the words after `--`."""
        return next((param for param in self.params if isinstance(param, Rest)), None)

    @property
    def lookup(self) -> dict[str, Option | Flag]:
        """Options and switches by every name of theirs."""
        if self._lookup is None:
            named = [param for param in self.everything if isinstance(param, Option | Flag)]
            self._lookup = {flag: param for param in named for flag in param.flags}
        return self._lookup

    def changes(self, values: Mapping[str, object]) -> bool:
        """Whether a call with these values changes something when it succeeds."""
        if self.preview:
            return bool(values.get("write"))
        return self.mutates if isinstance(self.mutates, bool) else self.mutates(values)
