"""The file that says what a namespace is bound to, and which namespaces there are."""

from __future__ import annotations

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.model.kinds import COUNT, OBJECT, TEXT, require
from neosian_cli.model.namespace import LANGUAGES, MAX_DIMENSIONS, SIMPLE, Binding, Namespace, check_name
from neosian_cli.store.damage import damaged
from neosian_cli.store.seal import NewerFormat, seal, unseal
from neosian_cli.store.semantic import places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.disk.tree import Tree

FORMAT = 1
FIELDS = {
    "namespace": TEXT,
    "provider": TEXT,
    "model": TEXT,
    "dimensions": COUNT,
    "text_search": TEXT,
    "generation": COUNT,
    "options": OBJECT,
}
"""What the file holds beside its times, and of what kind."""


def encode(namespace: Namespace) -> bytes:
    binding, floor = namespace.binding, namespace.history_floor
    return seal(
        {
            "format": FORMAT,
            "namespace": namespace.name,
            "provider": binding.provider,
            "model": binding.model,
            "dimensions": binding.dimensions,
            "text_search": binding.text_search,
            "created_at": times.spell(namespace.created_at),
            "generation": namespace.generation,
            "history_floor": None if floor is None else times.spell(floor),
            "options": namespace.options,
        },
    )


def read(tree: Tree, name: str) -> Namespace | None:
    """The namespace; None where there is none. Raises `record_corrupt` or `format_unsupported`."""
    path = places.binding_file(name)
    data = tree.read(path)
    if data is None:
        if _has_records(tree, name):
            raise damaged(path, "is missing, though there are records")
        return None
    try:
        value = unseal(data)
        require(value, FIELDS)
        if not 0 < value["dimensions"] <= MAX_DIMENSIONS:
            raise ValueError(f"it is bound to {value['dimensions']} dimensions")
        if value["text_search"] != SIMPLE and value["text_search"] not in LANGUAGES:
            raise ValueError("it is bound to an unknown language of words")
        binding = Binding(value["provider"], value["model"], value["dimensions"], value["text_search"])
        floor = None if value["history_floor"] is None else times.read(value["history_floor"])
        created_at, options = times.read(value["created_at"]), dict(value["options"])
        namespace = Namespace(value["namespace"], binding, created_at, value["generation"], floor, options)
    except NewerFormat as newer:
        raise damaged(path, str(newer), code="format_unsupported") from None
    except (ValueError, KeyError, TypeError) as error:
        raise damaged(path, f"is damaged: {error}") from None
    if namespace.name.casefold() != name.casefold():
        raise damaged(path, "belongs to another namespace")
    return namespace


def names(tree: Tree) -> list[str]:
    """Every name of a namespace below this root, in byte order; one that has lost its file here is among them."""
    found = []
    for name, is_directory in tree.entries(places.SEMANTIC):
        try:
            if is_directory and _is_used(tree, check_name(name)):
                found.append(name)
        except Failure:
            continue
    return sorted(found)


def _is_used(tree: Tree, name: str) -> bool:
    try:
        return tree.status(places.binding_file(name)) is not None or _has_records(tree, name)
    except Unsafe:
        return True


def _has_records(tree: Tree, name: str) -> bool:
    """Whether there is a log, or a part of one; a dropped namespace leaves empty directories."""
    log = places.log_of(name)
    return tree.status(log.head_file) is not None or any(
        file.endswith(".seg") for file, _ in tree.entries(log.directory)
    )


def refuse_other_case(tree: Tree, name: str, configured: tuple[str, ...] = ()) -> None:
    """Refuse a name that differs only in case from one that is there; raises `case_collision`."""
    for other in (*names(tree), *configured):
        if other != name and other.casefold() == name.casefold():
            raise Failure.conflict(
                "case_collision",
                f"the namespaces {name} and {other} differ only in case",
                hint=f"use {other}, or another name",
                namespace=name,
                existing=other,
            )


def unknown(name: str, others: Sequence[str] = ()) -> Failure:
    """`not_found`, with the one of the others that was probably meant, and the command that makes this one."""
    from neosian_cli.model.nearest import nearest

    meant = nearest(name, others)
    return Failure(
        "not_found",
        f"there is no namespace {name}" + (f"; did you mean {meant}?" if meant else ""),
        hint=f"neosian semantic create {name}",
        namespace=name,
    )
