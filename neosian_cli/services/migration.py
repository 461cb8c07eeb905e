"""Taking over a store of the Python package neosian 1.12: what fits, with all that does not named one by one."""

from __future__ import annotations

import os

from neosian_cli.disk.tree import Unsafe
from neosian_cli.errors import Failure
from neosian_cli.model import scope as scopes
from neosian_cli.model.advance import ignored
from neosian_cli.services.archive import held, refuse_nested, refuse_occupied
from neosian_cli.store.filestore.reader import FileStore, opened
from neosian_cli.store.filestore.unfit import DAMAGED, Unfit
from neosian_cli.store.lines import Torn
from neosian_cli.store.restoration import refuse_used, restore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from neosian_cli.model.advance import Advance
    from neosian_cli.model.document import Version
    from neosian_cli.services.archive import Choice, Tally
    from neosian_cli.store.root import Store


def import_file_store(
    store: Store, directory: str, choice: Choice, tally: Tally, *, advance: Advance = ignored
) -> dict[str, Any]:
    """Import scopes of a file store, one transaction a scope; everything is read before the first is written.

    Raises `target_occupied`, `not_a_store`, `not_found`, `locked`, `invalid_argument`.
    """
    if choice.namespaces:
        raise Failure("invalid_argument", "a store of neosian 1.12 has no namespaces: leave out --namespace")
    # That program keeps its store in its home, where ours may well lie: it looks into directories of scopes only.
    refuse_nested(store.root, directory, around=False)
    if not os.path.isdir(directory):
        raise Failure("not_found", f"there is no directory {directory}", path=directory)
    inside = os.path.relpath(os.path.realpath(store.root), os.path.realpath(directory))
    with opened(directory, timeout=store.lock_timeout, calls=store.calls, ignore=inside) as found:
        chosen = _chosen(found, directory, choice)
        refuse_occupied(store, chosen)
        fitting = {scope: list(_fitting(found, scope)) for scope in chosen}
        tally.chosen = ([scope for scope, paths in fitting.items() if paths or found.erasures(scope)], [])
        advance = tally.with_total(advance)
        for scope, paths in fitting.items():
            tally.total += len(paths)
            _import_scope(store, found, scope, paths, tally=tally, advance=advance)
        skipped = [problem._asdict() for problem in found.skipped if _concerns(problem.path, choice)]
    return {"scopes": tally.scopes, "namespaces": [], "skipped": skipped}


def _chosen(found: FileStore, directory: str, choice: Choice) -> list[str]:
    for scope in map(scopes.check, choice.scopes):
        if scope not in found.scopes:
            hint = held("scope", found.scopes)
            raise Failure("not_found", f"{directory} holds no scope {scope}", hint=hint, scope=scope)
    return [scope for scope in found.scopes if not choice.scopes or scope in choice.scopes]


def _concerns(path: str, choice: Choice) -> bool:
    """Whether something that was skipped belongs to what was chosen."""
    chosen = [scope.replace(":", "%3A") for scope in choice.scopes]
    return not chosen or any(path.startswith(f"{directory}/") for directory in chosen)


def _fitting(found: FileStore, scope: str) -> Iterator[str]:
    """The paths that can be taken over whole; the others are skipped."""
    for path in found.paths(scope):
        file = found.document_file(scope, path)
        try:
            for _ in found.versions(scope, path):
                pass
        except Unfit as unfit:
            found.skip(file, unfit.code, unfit.reason)
        except Torn as torn:
            found.skip(file, DAMAGED, f"has a history that {torn}")
        except Unsafe as unsafe:
            found.skip(unsafe.path, DAMAGED, unsafe.reason)
        except OSError as error:
            found.skip(file, "permission_denied", f"cannot be read: {error.strerror}")
        else:
            yield path


def _import_scope(
    store: Store, found: FileStore, scope: str, paths: list[str], *, tally: Tally, advance: Advance
) -> None:
    erasures = found.erasures(scope)
    if not paths and not erasures:
        return
    with store.writing("import") as transaction:
        refuse_used(transaction.tree, scope)
        histories = ((path, _again(found, scope, path)) for path in paths)
        done = restore(transaction, scope, histories, erasures, advance=advance)
        tally.scopes.append(done.as_dict())
        transaction.commit()


def _again(found: FileStore, scope: str, path: str) -> Iterator[Version]:
    """A history that was good a moment ago."""
    try:
        yield from found.versions(scope, path)
    except (Unfit, Torn) as error:
        file = found.document_file(scope, path)
        raise Failure(DAMAGED, f"{file} changed while it was read: {error}", file=file) from None
