"""Where a namespace's files lie below a root."""

from __future__ import annotations

from neosian_cli.journal.plan import NAME
from neosian_cli.store.log import Log

SEMANTIC = "semantic"
BINDING = "namespace.json"
VECTORS_SUFFIX = ".f32"
ROWS = 4096
"""Vectors in one file."""


def is_plain(name: str) -> bool:
    """Whether a plan may name such a file; a stray file of another name is not ours, and stays where it is."""
    return NAME.issuperset(name)


def directory(namespace: str) -> str:
    return f"{SEMANTIC}/{namespace}"


def binding_file(namespace: str) -> str:
    return f"{directory(namespace)}/{BINDING}"


def log_of(namespace: str) -> Log:
    return Log(f"{directory(namespace)}/records", f"{directory(namespace)}/log.json", "sequence")


def vectors_directory(namespace: str) -> str:
    return f"{directory(namespace)}/vectors"


def vector_file(namespace: str, number: int) -> str:
    """The file of a number from 1 on."""
    return f"{vectors_directory(namespace)}/{number:08d}{VECTORS_SUFFIX}"


def derived(namespace: str) -> str:
    return f"{directory(namespace)}/derived"
