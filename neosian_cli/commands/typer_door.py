"""The command line as a Typer app, built from the table of options: for help, and for what the fast parser declines.

Typer sees texts, switches and lists of texts only; what they mean is judged in `values`, for both parsers alike.
Nothing is printed here: help comes back as text, and what is wrong as a `usage` failure.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from neosian_cli.commands import groups
from neosian_cli.commands.declare import Argument, Flag, Option, Rest, Verb
from neosian_cli.commands.dispatch import HelpWanted
from neosian_cli.commands.help import argument_rows, broken, epilog_of, option_rows, synopsis_of
from neosian_cli.commands.values import nearest, quoted
from neosian_cli.errors import Failure

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from typer._click.core import Command, Context
    from typer._click.formatting import HelpFormatter
    from typer.core import TyperOption

    from neosian_cli.commands.declare import Param
    from neosian_cli.commands.groups import Entry

    Raw = dict[str, str | bool | list[str] | None]

ABOUT = "Durable state for agents and shell scripts, on a plain directory that an operator owns."
USAGE = "COMMAND [OPTIONS] [ARGUMENTS]"
ROOT_ROWS = (
    ("--version", "print the version"),
    ("-h, --help", "show this help; COMMAND --help shows that of a command"),
)
HELP_ROW = ("-h, --help", "show this help")


def new_app(cls: type[TyperGroup]) -> typer.Typer:
    """The one way that an app is made: no markup, no frames around errors, no colour forced by variables of a CI."""
    app = typer.Typer(
        cls=cls,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    # Without a callback a group of one verb would become that verb.
    app.callback()(lambda: None)
    return app


def _asking(option: TyperOption | None) -> TyperOption | None:
    """The option for help, made to hand the text over instead of printing it."""

    def show(ctx: Context, _param: object, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            raise HelpWanted(ctx.get_help().rstrip("\n") + "\n")

    if option is not None:
        option.callback = show
    return option


def _usage(path: str, message: str, hint: str | None = None, **details: object) -> Failure:
    """A failure of usage; `path` is the program's name and the command as far as it was understood."""
    where = path.removeprefix("neosian").strip()
    told = f"{where}: {message}" if where else message
    return Failure("usage", told, hint=hint or f"{path} --help", **details)


class _Group(TyperGroup):
    """A group of the table: says which command is missing or unknown, and shows no hidden names."""

    def get_help_option(self, ctx: Context) -> TyperOption | None:
        return _asking(super().get_help_option(ctx))

    def rows(self) -> list[tuple[str, str]]:
        """Names and help lines that are shown."""
        return [(name, command.short_help or "") for name, command in self.commands.items() if not command.hidden]

    def known(self) -> Sequence[str]:
        """All names that are understood."""
        return list(self.commands)

    def option_rows(self) -> Sequence[tuple[str, str]]:
        """The options of the group itself."""
        return (HELP_ROW,)

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002
        return [name for name, _ in self.rows()]

    def format_usage(self, ctx: Context, formatter: HelpFormatter) -> None:
        formatter.write_usage(ctx.command_path, USAGE)

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        self.format_commands(ctx, formatter)
        with formatter.section("Options"):
            formatter.write_dl(self.option_rows())

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(self.rows())

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        if not args:
            names = ", ".join(name for name, _ in self.rows())
            raise _usage(ctx.command_path, f"a command is missing; there are {names}")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Command | None, list[str]]:
        command = self.get_command(ctx, args[0])
        if command is not None:
            return args[0], command, args[1:]
        meant = nearest(args[0], self.known())
        message = f"there is no command {quoted(args[0])}"
        if meant is None:
            raise _usage(ctx.command_path, message)
        message = f"{message}; did you mean '{meant}'?"
        raise _usage(ctx.command_path, message, f"{ctx.command_path} {meant} --help", nearest=meant)


def _command_class(verb: Verb) -> type[TyperCommand]:
    """A command whose help is made from the table."""

    class VerbCommand(TyperCommand):
        def get_help_option(self, ctx: Context) -> TyperOption | None:
            return _asking(super().get_help_option(ctx))

        def format_usage(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
            formatter.write_usage(f"neosian {verb.title}", synopsis_of(verb))
            formatter.buffer[:] = [broken(piece) for piece in formatter.buffer]

        def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
            if rows := argument_rows(verb):
                with formatter.section("Arguments"):
                    formatter.write_dl(rows)
            if rows := option_rows(verb.params):
                with formatter.section("Options"):
                    formatter.write_dl(rows)
            with formatter.section("Usual options"):
                formatter.write_dl([*option_rows(verb.usual), HELP_ROW])

        def format_epilog(self, ctx: Context, formatter: HelpFormatter) -> None:  # noqa: ARG002
            formatter.write(epilog_of(verb))

    return VerbCommand


def _parameter(index: int, param: Param) -> inspect.Parameter | None:
    """How Typer is told of a parameter. Names are made up, since keys may be words of Python."""
    kind: Any
    if isinstance(param, Argument):
        kind = Annotated[list[str] | None if param.repeat else str | None, typer.Argument(metavar=param.name)]
        default: object = None
    elif isinstance(param, Option):
        kind = Annotated[list[str] | None if param.repeat else str | None, typer.Option(*param.flags)]
        default = None
    elif isinstance(param, Flag):
        kind = Annotated[bool, typer.Option(*param.flags)]
        default = False
    else:
        return None
    return inspect.Parameter(f"p{index}", inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def _callback(verb: Verb) -> Callable[..., tuple[Verb, Raw]]:
    """A function with the signature that Typer reads; it hands back what was given."""

    def given(**values: Any) -> tuple[Verb, Raw]:
        raw: Raw = {}
        for index, param in enumerate(verb.everything):
            if isinstance(param, Rest):
                continue
            value = values[f"p{index}"]
            raw[param.key] = list(value or ()) if param.repeat else value
        return verb, raw

    # Typer evaluates annotations; those above are for readers.
    given.__annotations__ = {}
    parameters = [_parameter(index, param) for index, param in enumerate(verb.everything)]
    given.__signature__ = inspect.Signature([known for known in parameters if known])  # type: ignore[attr-defined]
    return given


def _add(app: typer.Typer, verb: Verb) -> None:
    for name in (verb.name, *verb.aliases):
        app.command(
            name,
            cls=_command_class(verb),
            help=verb.description or verb.summary,
            short_help=verb.summary,
            hidden=name != verb.name,
            context_settings={"help_option_names": ["-h", "--help"]},
        )(_callback(verb))


def _root_class(entries: Sequence[Entry]) -> type[TyperGroup]:
    """The first level: its commands are made when they are asked for."""

    class Root(_Group):
        def rows(self) -> list[tuple[str, str]]:
            return [(entry.name, entry.help) for entry in entries]

        def known(self) -> Sequence[str]:
            return [entry.name for entry in entries]

        def option_rows(self) -> Sequence[tuple[str, str]]:
            return ROOT_ROWS

        def get_command(self, ctx: Context, cmd_name: str) -> Command | None:  # noqa: ARG002
            entry = next((known for known in entries if known.name == cmd_name), None)
            if entry is None:
                return None
            app = new_app(_Group)
            for verb in entry.verbs:
                _add(app, verb)
            made = typer.main.get_command(app)
            assert isinstance(made, TyperGroup)
            made.help = entry.help
            return made if entry.group else made.commands[entry.name]

    return Root


def _explain(error: typer.TyperException, called: str) -> Failure:
    """A complaint of Typer's in the words of this program; `called` is the command as far as the table knows it."""
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else called
    name = getattr(error, "option_name", None)
    if type(error).__name__ == "NoSuchOption" and isinstance(name, str):
        known = [flag for param in context.command.params for flag in param.opts] if context is not None else []
        meant = nearest(name, known)
        if meant is None:
            return _usage(path, f"there is no option {quoted(name)}")
        return _usage(path, f"there is no option {quoted(name)}; did you mean {meant}?", nearest=meant)
    message = error.format_message().rstrip(".").removeprefix("Got ")
    return _usage(path, f"{message[:1].lower()}{message[1:]}")


def read(words: Sequence[str], entries: Sequence[Entry]) -> tuple[Verb, Raw]:
    """The verb and its raw values; raises HelpWanted or `usage`."""
    root = typer.main.get_group(new_app(_root_class(entries)))
    root.help = ABOUT
    try:
        answer = root.main(list(words), prog_name="neosian", standalone_mode=False, complete_var="")
    except typer.TyperException as error:
        found = groups.find(words, entries)
        raise _explain(error, f"neosian {found[0].title}" if found else "neosian") from None
    if not isinstance(answer, tuple):
        raise KeyboardInterrupt  # Typer answers Ctrl-C with a number
    verb, raw = answer
    return verb, raw
