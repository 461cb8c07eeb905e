"""One call of a verb: its values, and all that its `run` may reach."""

from __future__ import annotations

from neosian_cli.commands import inputs
from neosian_cli.commands.declare import READ_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from neosian_cli.commands.declare import Verb
    from neosian_cli.config.settings import Settings
    from neosian_cli.render.output import Output
    from neosian_cli.signals import Signals
    from neosian_cli.store.root import Store
    from neosian_cli.surroundings import Surroundings


class Call:
    """`values` holds every parameter of the verb by its key, judged; `output` takes the result.

    Settings and store are made when they are first asked for. `changed` is for a verb to set once it has changed
    something beside the store (a file that it was given), so that a later failure can tell; `idle` once it knows that
    there is nothing to do.
    """

    __slots__ = (
        "_settings", "_store", "_texts", "changed", "idle", "output", "signals", "surroundings", "values", "verb",
    )  # fmt: skip

    def __init__(
        self, verb: Verb, values: Mapping[str, object], surroundings: Surroundings, output: Output, signals: Signals
    ) -> None:
        self.verb = verb
        self.values = values
        self.surroundings = surroundings
        self.output = output
        self.signals = signals
        self.changed = False
        self.idle = False
        self._texts: dict[str, str | bytes | list[str | bytes]] = {}
        self._settings: Settings | None = None
        self._store: Store | None = None

    @property
    def settings(self) -> Settings:
        """The settings in force; raises `usage`, `invalid_argument`, `invalid_config`, `not_found` or `unsupported`.

        A served store is refused here, before a mount or a path is judged: what is wrong with those is then of no use.
        """
        if self._settings is None:
            from neosian_cli.config.settings import resolve

            own = {param.key for param in self.verb.params}
            shared = {key: value for key, value in self.values.items() if key not in own}
            settings = resolve(shared, self.surroundings.env)
            if not self.verb.storeless:
                settings.local_root()
            self._settings = settings
        return self._settings

    @property
    def store(self) -> Store:
        """The store that was chosen, not yet opened; raises `unsupported` for a served one."""
        if self._store is None:
            from neosian_cli.store.root import Store

            settings = self.settings
            self._store = Store(
                settings.local_root(),
                now=self.now,
                new_id=self.surroundings.new_uuid,
                lock_timeout=settings.lock_timeout,
            )
            self._store.busy = self.output.progress
        return self._store

    def now(self) -> int:
        """Now, as an instant that can be spelled; raises `io_error` for a clock that stands elsewhere."""
        from neosian_cli.model import times

        try:
            return times.plausible(self.surroundings.now())
        except OverflowError:  # Python's own answer to a clock beyond 2262
            return times.plausible(times.LAST)

    # Values, by their kind. A key that the verb does not have is an error of the program.

    def given(self, key: str) -> bool:
        """Whether the command line names it; an option with a default is never None, so ask before that counts."""
        return self.values[key] not in (None, False, [])

    def string(self, key: str) -> str:
        """A value of kind str, choice, file or dir that is there for certain."""
        value = self.values[key]
        assert isinstance(value, str)
        return value

    def maybe(self, key: str) -> str | None:
        """A value of kind str, choice, file or dir, or None."""
        return None if self.values[key] is None else self.string(key)

    def strings(self, key: str) -> list[str]:
        """The values of a repeatable parameter, in order."""
        value = self.values[key]
        assert isinstance(value, list)
        return value

    def integer(self, key: str) -> int:
        """A value of kind int that is there for certain."""
        value = self.values[key]
        assert isinstance(value, int)
        return value

    def maybe_integer(self, key: str) -> int | None:
        """A value of kind int, or None."""
        return None if self.values[key] is None else self.integer(key)

    def maybe_real(self, key: str) -> float | None:
        """A value of kind float, or None."""
        value = self.values[key]
        assert value is None or isinstance(value, float)
        return value

    def flag(self, key: str) -> bool:
        """Whether a switch is set."""
        return bool(self.values[key])

    def chosen(self, *keys: str) -> list[str]:
        """Options of these keys as they were given, to be typed again in a shell."""
        import shlex

        words: list[str] = []
        for key in keys:
            given = self.values[key]
            for value in given if isinstance(given, list) else [] if given is None else [given]:
                words += (f"--{key.replace('_', '-')}", shlex.quote(str(value)))
        return words

    # Values that were read from elsewhere

    def read_inputs(self) -> None:
        """Read what `-` and `@FILE` stand for, before anything is touched.

        Raises `invalid_argument`, `not_found`, `permission_denied` or `io_error`.
        """
        params = [param for param in self.verb.params if param.kind in READ_KINDS]
        inputs.check_one_stdin(params, self.values)
        for param in params:
            given = self.values[param.key]
            if param.kind == "source" or given is None:
                continue
            if isinstance(given, list):
                self._texts[param.key] = [inputs.take(param, text, self.surroundings) for text in given]
            else:
                self._texts[param.key] = inputs.take(param, str(given), self.surroundings)

    def text(self, key: str) -> str | None:
        """A value of kind text, or None."""
        value = self._texts.get(key)
        assert value is None or isinstance(value, str)
        return value

    def data(self, key: str) -> bytes | None:
        """A value of kind bytes, or None."""
        value = self._texts.get(key)
        assert value is None or isinstance(value, bytes)
        return value

    def pieces(self, key: str) -> Iterator[bytes]:
        """A value of kind source, piece by piece; opened by the first piece. Raises as `read_inputs`."""
        param = next(param for param in self.verb.params if param.key == key)
        return inputs.stream(param, self.string(key), self.surroundings)

    # The state of things

    @property
    def mutates(self) -> bool:
        """Whether this call changes something when it succeeds; a preview does not."""
        return self.verb.changes(self.values)

    @property
    def committed(self) -> bool | str:
        """Whether this call has changed something; "unknown" when not even the disk said so."""
        store = self._store
        if self.changed or (store is not None and store.commits):
            return True
        return "unknown" if store is not None and store.uncertain else False

    def remarks(self) -> list[str]:
        """What the store brought up for a person."""
        return list(self._store.notes) if self._store is not None else []
