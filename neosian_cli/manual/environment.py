"""Every variable that the program looks at."""

from __future__ import annotations

from neosian_cli.commands.declare import SELECTION

OTHERS: dict[str, str] = {
    "NEOSIAN_HOME": "the home of the program: config.yaml, and the store where nothing else chooses one; ~/.neosian "
    "without it",
    "NEOSIAN_TOKEN": "the token of a served store; it is never an argument, and served stores are not supported yet",
    "NEOSIAN_DEBUG": "where it is not empty and not 0, a failure shows the traceback too",
    "NO_COLOR": "where it is not empty, nothing is coloured",
    "FORCE_COLOR": "where it is not empty and not 0, everything is coloured, in a pipe too",
    "TERM": "dumb: no colour, no progress",
    "LOGNAME": "the login that the default mounts and the default actor are named after",
    "USER": "the same, where LOGNAME is not set",
    "HOME": "what a leading ~ stands for",
}
"""Those that are no twins of an option."""


def twins() -> dict[str, str]:
    """Variables that stand in for an option, with the option's label and help."""
    return {option.env: f"{option.label}: {option.help}" for option in SELECTION if option.env}


REMARK = (
    "An option beats a variable, a variable the profile, the profile the default. A variable that is set to nothing "
    "counts as not set. An option silences every variable of the same choice: --root makes NEOSIAN_URL irrelevant, "
    "--mount makes NEOSIAN_SCOPE so. The key of an embedder is read from the variable that its configuration names "
    "with api_key_env."
)
