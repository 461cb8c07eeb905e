"""`neosian config show` and `config check`."""

from __future__ import annotations

from neosian_cli.commands.declare import Verb

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.commands.call import Call
    from neosian_cli.render.output import Output


def show(call: Call) -> int:
    from neosian_cli.services import settings

    result = settings.show(call.settings)

    def human(out: Output) -> None:
        out.table(("setting", "value", "from"), list(_rows(result)))
        if result["problem"]:
            out.note(result["problem"])
            out.hint("give --scope or --mount, or work in a folder with a name of letters or digits")

    call.output.result(result, human)
    return 0


def _rows(result: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    origins = result["origins"]
    for key in ("home", "config", "profile", "root", "url"):
        if key in origins:
            yield key, result[key] or "none", origins[key] + _remark(key, result)
    for mount in result["mounts"]:
        yield f"mount {mount['path']}", f"{mount['scope']} {mount['mode']}", origins["mounts"]
    yield "actor", result["actor"], origins["actor"]
    yield "lock_timeout", f"{result['lock_timeout']} s", origins["lock_timeout"]
    for namespace in result["namespaces"]:
        yield f"namespace {namespace['name']}", _embedder(namespace["embedder"]), origins["namespaces"]
    for name, cap in result["caps"].items():
        yield f"caps.{name}", str(cap), origins[f"caps.{name}"]


def _remark(key: str, result: dict[str, Any]) -> str:
    return " (no such file)" if key == "config" and not result["config_found"] else ""


def _embedder(embedder: dict[str, Any]) -> str:
    named = (embedder["provider"], embedder["model"], embedder["dimensions"])
    return " ".join(str(part) for part in named if part is not None)


def check(call: Call) -> int:
    from neosian_cli.services import settings

    result = settings.check(call.settings)

    def human(out: Output) -> None:
        if not result["found"]:
            out.say(f"there is no {result['file']}; the defaults are in force")
            return
        profiles, namespaces = len(result["profiles"]), len(result["namespaces"])
        out.say(f"{result['file']} is good: {_counted(profiles, 'profile')}, {_counted(namespaces, 'namespace')}")

    call.output.result(result, human)
    return 0


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


VERBS = (
    Verb(
        "config",
        "show",
        "the settings in force and where each came from",
        run=show,
        storeless=True,
        description=(
            "Show home, configuration file, profile, store, mounts, actor, waiting time, namespaces and caps as this "
            "call would use them, each with what set it: an option, an environment variable, a line of the "
            "configuration, or the default. No store is touched, and no secret is shown."
        ),
        examples=("neosian config show", "neosian config show --profile work --json"),
        result="neosian_cli.config.schema:SHOW",
    ),
    Verb(
        "config",
        "check",
        "check the configuration file",
        run=check,
        storeless=True,
        description=(
            "Read the configuration file strictly and say whether it is good. The first fault is named with file, "
            "line and key; with --json the others stand in details.others. No file is no fault, unless --config or "
            "NEOSIAN_CONFIG names it."
        ),
        examples=("neosian config check", "neosian config check --config ./config.yaml"),
        result="neosian_cli.config.schema:CHECK",
    ),
)
