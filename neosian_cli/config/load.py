"""From a file's name to its checked contents, and the same rules for options that are given as `key=value`."""

from __future__ import annotations

from neosian_cli.config import file as config_file
from neosian_cli.config.reader import Fault, Reader
from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.config.namespace import EmbedderOptions
    from neosian_cli.config.sections import Configuration

SHOWN_FAULTS = 20


def load(name: str, text: str) -> Configuration:
    """The text of file `name`, checked whole; raises `invalid_config` with the first fault and the others beside it."""
    from neosian_cli.config.sections import CONFIG, Configuration
    from neosian_cli.config.tree import compose

    node = compose(text, name)
    if node is None:
        return Configuration()
    reader = Reader()
    value = reader.read(node, CONFIG, "")
    faults = sorted(reader.faults, key=lambda fault: fault.line)
    if not faults:
        faults = _unknown_default(value)
    if faults:
        raise _refusal(name, faults)
    assert isinstance(value, Configuration)
    return value


def _unknown_default(configuration: Configuration) -> list[Fault]:
    from neosian_cli.model.nearest import nearest

    name = configuration.default_profile
    if name is None or name in configuration.profiles:
        return []
    meant = nearest(name, configuration.profiles)
    hint = f"did you mean {meant}?" if meant else None
    line = configuration.lines["default_profile"]
    return [Fault(line, "default_profile", f"there is no profile {name!a}", hint)]


def _refusal(name: str, faults: list[Fault]) -> Failure:
    first, *others = faults
    more = f" (and {len(others)} more)" if others else ""
    refusal = config_file.invalid(name, first.message + more, line=first.line, key=first.key or None)
    refusal.hint = first.hint
    if others:
        refusal.details["others"] = [
            {"line": fault.line, "key": fault.key, "message": fault.message} for fault in others[:SHOWN_FAULTS]
        ]
    return refusal


def embedder_options(pairs: Mapping[str, str]) -> EmbedderOptions:
    """`--option key=value` by the rules of `embedder.options`; raises `invalid_argument` that names the option."""
    from neosian_cli.config.namespace import EmbedderOptions
    from neosian_cli.config.sections import OPTIONS
    from neosian_cli.config.shape import Boolean, Integer
    from neosian_cli.config.tree import Node

    kinds = {Integer: "integer", Boolean: "boolean"}
    entries = []
    for key, value in pairs.items():
        known = OPTIONS.fields.get(key)
        kind = kinds.get(type(known.shape), "text") if known else "text"
        entries.append((Node("text", key, 0), Node(kind, value, 0)))
    reader = Reader()
    options = reader.read(Node("mapping", entries, 0), OPTIONS, "")
    if reader.faults:
        fault = reader.faults[0]
        raise Failure("invalid_argument", f"--option {fault.key}: {fault.message}", hint=fault.hint)
    assert isinstance(options, EmbedderOptions)
    return options
