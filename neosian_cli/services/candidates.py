"""What a shell may offer at the cursor: mounts, paths, namespaces, messages, scopes, profiles.

Nothing is waited for, recovered or made, and what cannot be read is not offered. A name that breaks the grammar of its
kind is left out, so that nothing which a shell would have to quote comes from a store.
"""

from __future__ import annotations

from itertools import islice

from neosian_cli.config.settings import resolve
from neosian_cli.errors import Failure
from neosian_cli.model.grammar import check_name
from neosian_cli.model.path import RESERVED
from neosian_cli.store import layout
from neosian_cli.store.root import Store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from typing import Any

    from neosian_cli.config.settings import Settings
    from neosian_cli.disk.tree import Tree

MOST = 1000
"""More than anybody reads; a shell asks again with every letter."""
MESSAGES = "messages"


def offered(
    kind: str, current: str, values: Mapping[str, Any], env: Mapping[str, str], now: Callable[[], int]
) -> list[str]:
    """The candidates of that kind which begin with `current`, sorted. Raises what settings and stores raise."""
    if kind == "profile":
        return _fitting(_profiles(values, env), current)
    settings = resolve(values, env)
    if kind == "mount":
        return _fitting((mount.root for mount in settings.mounts), current)
    store = Store(settings.local_root(), now=now, new_id=str, lock_timeout=0)
    with store.looking() as look:
        return _fitting(_OF[kind](look.tree, settings, current), current)


def _fitting(candidates: Iterable[str], current: str) -> list[str]:
    return sorted(set(islice((name for name in candidates if name.startswith(current)), MOST)))


def _profiles(values: Mapping[str, Any], env: Mapping[str, str]) -> Iterable[str]:
    """Those of the file, whichever profile is chosen now."""
    chosen = {key: values.get(key) for key in ("config",)}
    kept = {name: env[name] for name in env if not name.startswith("NEOSIAN_") or name in _OF_THE_FILE}
    configuration = resolve(chosen, kept).configuration
    return configuration.profiles if configuration else ()


_OF_THE_FILE = ("NEOSIAN_HOME", "NEOSIAN_CONFIG")


def _paths(tree: Tree, settings: Settings, current: str) -> Iterator[str]:
    """The next part of a mounted path: mounts and what has more below it end with a slash."""
    above, slash, begun = current.rpartition("/")
    name, _, below = above.removeprefix("/").partition("/")
    if not slash or not above:
        yield from (f"{mount.root}/" for mount in settings.mounts)
        return
    for mount in settings.mounts:
        if mount.name != name:
            continue
        directory = f"{layout.scope_directory(mount.scope)}/{layout.DOCUMENTS}"
        if below:
            directory = f"{directory}/{layout.relative_directory(below)}"
        for part in _parts(tree, directory):
            # Messages have verbs of their own, so they are shown to those who ask for them.
            if below or begun or part.rstrip("/") not in RESERVED:
                yield f"{above}/{part}"


def _parts(tree: Tree, directory: str) -> Iterator[str]:
    for name, is_directory in tree.entries(directory):
        if is_directory:
            part = layout.segment_of_directory(name)
        elif name.endswith(layout.DOCUMENT_SUFFIX):
            part = name.removesuffix(layout.DOCUMENT_SUFFIX)
        else:
            continue
        if _is_name(part):
            yield f"{part}/" if is_directory else part


def _is_name(text: str) -> bool:
    try:
        check_name(text, "name", text)
    except Failure:
        return False
    return True


def _messages(tree: Tree, settings: Settings, _current: str) -> Iterator[str]:
    for mount in settings.mounts:
        directory = f"{layout.scope_directory(mount.scope)}/{layout.DOCUMENTS}/{MESSAGES}"
        yield from (part for part in _parts(tree, directory) if not part.endswith("/"))


def _namespaces(tree: Tree, settings: Settings, _current: str) -> Iterator[str]:
    from neosian_cli.store.semantic import binding

    yield from binding.names(tree)
    yield from (configured.name for configured in settings.namespaces)


def _scopes(tree: Tree, settings: Settings, _current: str) -> Iterator[str]:
    from neosian_cli.store.scopes import all_scopes

    yield from (mount.scope for mount in settings.mounts)
    yield from all_scopes(tree)


_OF = {"path": _paths, "document": _paths, "message": _messages, "namespace": _namespaces, "scope": _scopes}
KINDS = ("mount", "profile", *_OF)
