"""What a verb says: its result on stdout, everything else on stderr.

A result is collected and goes out whole when the verb has succeeded, so a failure leaves stdout empty; a stream of
lines goes out as it is flushed. Every text for people is escaped here. Notes and hints are said after the result, and
not at all with `--quiet` or where a program reads.
"""

from __future__ import annotations

from neosian_cli.render import colour
from neosian_cli.render.stream import ClosedPipe, Stream
from neosian_cli.render.text import encodable, escape, inert, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from neosian_cli.errors import Failure
    from neosian_cli.render.progress import Progress
    from neosian_cli.render.stream import Hold
    from neosian_cli.render.table import Cell

HUMAN = "human"
JSON = "json"
JSONL = "jsonl"

# A stream of lines is written out when this many bytes have come together.
CHUNK = 64 * 1024


def encode(value: object) -> bytes:
    """One line of JSON with its newline; bytes that were not UTF-8 are shown as escapes."""
    from neosian_cli.model.codec import shown

    try:
        return shown(value) + b"\n"
    except TypeError:
        return shown(encodable(value)) + b"\n"


class Output:
    """The two streams of one call, in one mode: HUMAN, JSON or JSONL. `spell_hint` completes every hint."""

    __slots__ = (
        "_busy", "_coloured", "_hold", "_lines", "_notes", "_pieces", "_size",
        "env", "err", "mode", "out", "quiet", "spell_hint",
    )  # fmt: skip

    def __init__(
        self, out: Stream, err: Stream, hold: Hold, env: Mapping[str, str], *, mode: str = HUMAN, quiet: bool = False
    ) -> None:
        self.out = out
        self.err = err
        self.env = env
        self.mode = mode
        self.quiet = quiet
        self.spell_hint: Callable[[str], str] = str
        self._hold = hold
        self._pieces: list[bytes] = []
        self._lines = False
        self._size = 0
        self._notes: list[str] = []
        self._coloured: bool | None = None
        self._busy = False

    @property
    def coloured(self) -> bool:
        """Whether stdout takes colour."""
        if self._coloured is None:
            self._coloured = colour.wanted(self.env, terminal=self.out.terminal)
        return self._coloured

    # Results

    def result(self, value: Mapping[str, object], human: Callable[[Output], object]) -> None:
        """The result of a verb: `value` where a program reads, what `human` puts out where a person does."""
        if self.mode == HUMAN:
            human(self)
        else:
            self._put(self._encoded(value))

    def listing(self, value: Mapping[str, object], human: Callable[[Output], object], *, items: str, kind: str) -> None:
        """The result of a verb that lists: `value[items]` are the items, in JSONL each of the type `kind`.

        The rest of `value` is the last line, of the type `page`.
        """
        if self.mode != JSONL:
            self.result(value, human)
            return
        members = value[items]
        assert isinstance(members, list | tuple)
        for item in members:
            self.line({"type": kind, **item})
        self.line({"type": "page", **{key: rest for key, rest in value.items() if key != items}})

    def line(self, value: Mapping[str, object], *, flush: bool = False) -> None:
        """One line of a stream; `flush` writes it out at once."""
        self._lines = True
        self._put(self._encoded(value))
        if flush or self._size >= CHUNK:
            self.flush()

    def flow(self) -> None:
        """From here on it is a stream of lines for people: what is flushed goes out line by line, as with `line`."""
        self._lines = True

    def say(self, *spans: Cell) -> None:
        """A line for people, made of texts and of pairs of a text and a style."""
        self._put(("".join(self._span(span, "\t") for span in spans) + "\n").encode())

    def block(self, text: str, style: str = "") -> None:
        """Several lines for people; a newline is added where the last one has none."""
        shown = colour.paint(escape(text), style if self.coloured else "")
        self._put((shown if shown.endswith("\n") or not text else shown + "\n").encode())

    def body(self, text: str) -> None:
        """A document: byte for byte, but escaped on a terminal."""
        self._put(escape(text).encode() if self.out.terminal else text.encode())

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self._put(data)

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[Cell]], below: Sequence[str] = ()) -> None:
        """Rows for people, see `table`; a title that begins with `>` sets its column to the right.

        On a terminal each row is followed by its line of `below`, where there are any.
        """
        from neosian_cli.render import table

        if self.out.terminal:
            shown = table.laid_out(columns, rows, width=self.out.width, coloured=self.coloured, below=below)
        else:
            shown = table.tabbed(rows)
        self._put(shown.encode())

    def facts(self, pairs: Sequence[tuple[str, Cell]]) -> None:
        """Names and values, one pair a line: how every verb shows what is no list; in a pipe a tab between them."""
        width = max((len(name) for name, _ in pairs), default=0)
        for name, value in pairs:
            if self.out.terminal:
                self.say((name.ljust(width), "dim"), "  ", value)
            else:
                self.table((), [(name, value)])

    # What goes to stderr

    def note(self, text: str) -> None:
        """A remark for people."""
        if self.mode == HUMAN and not self.quiet:
            self._notes.append(f"{self._label('neosian:', 'bold')} {line(text)}\n")

    def hint(self, text: str) -> None:
        """The command to run next."""
        if self.mode == HUMAN and not self.quiet:
            self._notes.append(self._hint(text))

    def failure(self, failure: Failure) -> None:
        """What went wrong, in place of a result; a stderr that takes nothing is passed over."""
        self._notes.clear()
        if self.mode == HUMAN:
            shown = f"{self._label('neosian:', 'bold red')} {line(failure.message)}\n"
            if failure.hint:
                shown += self._hint(failure.hint)
            self._tell(shown.encode("utf-8", "backslashreplace"))
        else:
            failure.hint = failure.hint and self.spell_hint(failure.hint)
            told = _envelope(failure)
            self._tell(inert(told) if self.err.terminal else told)

    def traceback(self, text: str) -> None:
        """The way to a failure, for those who asked for it."""
        self._tell(text.encode("utf-8", "backslashreplace"))

    def progress(self, what: str, total: int | None = None, *, least: int = 0) -> Progress:
        """A context for long work of `least` things or more; it shows itself on a terminal, where a person reads.

        Within another one it shows nothing: there is one line for it.
        """
        from neosian_cli.render.progress import Progress

        able = self.err.terminal and self.env.get("TERM") != "dumb"
        shown = able and self.mode == HUMAN and not self.quiet and not self._busy
        self._busy = self._busy or shown

        def ended() -> None:
            self._busy = self._busy and not shown

        coloured = colour.wanted(self.env, terminal=shown)
        return Progress(what, total, shown=shown, coloured=coloured, least=least, ended=ended)

    # The way out

    def flush(self) -> None:
        """Write out what has been collected; raises ClosedPipe or `output_failed`."""
        data = self._collected()
        if not data:
            return
        if self._lines:
            self.out.write_lines(data, self._hold)
        else:
            self.out.write(data)

    def finish(self, done: Callable[[], None] = lambda: None) -> None:
        """The verb has succeeded: result, then notes; raises ClosedPipe or `output_failed`.

        `done` is called when the result is out, before any signal can come between.
        """
        if self._lines or not self._pieces:
            self.flush()
            done()
        else:
            self.out.write_result(self._collected(), self._hold, done)
        self.out.sync()
        self._tell("".join(self._notes).encode())
        self._notes.clear()

    def discard(self) -> None:
        """The verb has failed: what was not written out is not said."""
        self._pieces.clear()
        self._size = 0

    def _collected(self) -> bytes:
        data = b"".join(self._pieces)
        self.discard()
        return data

    def _encoded(self, value: object) -> bytes:
        data = encode(value)
        return inert(data) if self.out.terminal else data

    def _put(self, data: bytes) -> None:
        self._pieces.append(data)
        self._size += len(data)

    def _span(self, span: Cell, keep: str) -> str:
        if isinstance(span, str):
            return escape(span, keep)
        text, style = span
        return colour.paint(escape(text, keep), style if self.coloured else "")

    def _hint(self, text: str) -> str:
        return f"{self._label('hint:', 'cyan')} {line(self.spell_hint(text))}\n"

    def _label(self, text: str, style: str) -> str:
        return colour.paint(text, style if colour.wanted(self.env, terminal=self.err.terminal) else "")

    def _tell(self, data: bytes) -> None:
        """Write to stderr; that nobody hears it changes nothing."""
        from neosian_cli.errors import Failure

        if not data or self.err.closed:
            return
        try:
            self.err.write(data)
        except (ClosedPipe, Failure):
            return


def _envelope(failure: Failure) -> bytes:
    """The line on stderr where a program reads; made without the codec where that cannot be imported."""
    value = encodable(failure.envelope())
    try:
        return encode(value)
    except (ImportError, TypeError):
        import json

        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode() + b"\n"
