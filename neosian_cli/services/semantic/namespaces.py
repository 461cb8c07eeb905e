"""Making namespaces and listing them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from neosian_cli.embedders import reach, table
from neosian_cli.errors import Failure
from neosian_cli.model.namespace import SIMPLE, Binding, Namespace, check_name, check_text_search
from neosian_cli.model.value import replace
from neosian_cli.services.semantic.access import binding_of, refuse_other_binding
from neosian_cli.store import log as logs
from neosian_cli.store.semantic import binding, places
from neosian_cli.store.semantic.counting import count_states
from neosian_cli.store.semantic.view import View

if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.config.settings import Settings
    from neosian_cli.disk.tree import Tree
    from neosian_cli.store.root import Store

FAKE_HINT = "without neosian-cli[local] the embedder is fake, which knows no meaning: pip install 'neosian-cli[local]'"


class Wish(NamedTuple):
    """What `create` was asked for; None where it was left to what is there, or to the defaults."""

    provider: str | None
    model: str | None
    dimensions: int | None
    text_search: str | None


def create(store: Store, settings: Settings, name: str, wish: Wish, *, options: Mapping[str, str]) -> dict[str, Any]:
    """Bind a namespace; the same again changes nothing. Raises `binding_changed` or `case_collision`."""
    from neosian_cli.config.load import embedder_options

    check_name(name)
    shown = embedder_options(options).shown() if options else {}
    given = {key: value for key, value in shown.items() if key in options}
    address: Any = given.get("base_url")
    configured = settings.namespace(name)
    configured_binding = None if configured is None else binding_of(configured)
    with store.reading() as tree:
        is_new = name not in binding.names(tree)
    wanted = configured_binding or (_default(store, wish) if is_new else None)
    with store.writing("semantic create") as transaction:
        tree = transaction.tree
        stored = binding.read(tree, name) if name in binding.names(tree) else None
        if stored is None:
            others = tuple(known.name for known in settings.namespaces if known.name != name)
            binding.refuse_other_case(tree, name, others)
            namespace = Namespace(name, wanted or _default(store, wish), transaction.now, options=given)
        else:
            namespace = replace(stored, options={**stored.options, **given})
        if configured_binding is not None:
            refuse_other_binding(namespace, configured_binding, f"{settings.config_file} binds")
        refuse_other_binding(namespace, _wished(wish, namespace.binding), "create would bind")
        if configured is None and not reach.is_known(namespace.binding.provider, address):
            store.notes.append(f"before it is used, {reach.advice(name, address)}")
        if namespace != stored:
            transaction.put(places.binding_file(name), binding.encode(namespace))
            transaction.commit()
    return {**_bound(namespace), "created": stored is None}


def _default(store: Store, wish: Wish) -> Binding:
    """What a new namespace that no configuration knows is bound to."""
    provider = wish.provider
    if provider is None:
        provider = table.default_provider()
        if provider == "fake":
            store.notes.append(FAKE_HINT)
    model, dimensions = table.complete(provider, wish.model, wish.dimensions)
    return Binding(provider, model, dimensions, check_text_search(wish.text_search or SIMPLE))


def _wished(wish: Wish, bound: Binding) -> Binding:
    """The binding with what was asked for in its place."""
    return Binding(
        bound.provider if wish.provider is None else wish.provider,
        bound.model if wish.model is None else wish.model,
        bound.dimensions if wish.dimensions is None else wish.dimensions,
        bound.text_search if wish.text_search is None else wish.text_search,
    )


def namespaces(store: Store, settings: Settings) -> dict[str, Any]:
    """Every namespace with its binding and its counts; configured ones that were never used are listed too."""
    found: list[dict[str, Any]] = []
    unreadable: list[dict[str, Any]] = []
    with store.reading() as tree:
        names = binding.names(tree)
        for name in names:
            try:
                found.append(_listed(store, tree, name))
            except Failure as failure:
                unreadable.append({"id": name, "code": failure.code, "message": failure.message})
    for configured in settings.namespaces:
        if configured.name not in names:
            value = _bound(Namespace(configured.name, binding_of(configured), 0))
            found.append({**value, "created_at": None, "records": 0, "live": 0})
    return {"namespaces": sorted(found, key=lambda value: str(value["namespace"])), "unreadable": unreadable}


def _listed(store: Store, tree: Tree, name: str) -> dict[str, Any]:
    namespace = binding.read(tree, name)
    assert namespace is not None  # it was listed under this lock
    if logs.read_head(tree, places.log_of(name)) is None:
        return {**_bound(namespace), "records": 0, "live": 0}
    view = View(store.root, tree, namespace, store.new_id, with_vectors=False)
    try:
        counts = count_states(view.catalogue, store.now())
    finally:
        view.close()
    return {**_bound(namespace), "records": counts["records"], "live": counts["live"]}


def _bound(namespace: Namespace) -> dict[str, Any]:
    from neosian_cli.model import times

    bound = namespace.binding
    return {
        "namespace": namespace.name,
        "provider": bound.provider,
        "model": bound.model,
        "dimensions": bound.dimensions,
        "text_search": bound.text_search,
        "created_at": times.spell(namespace.created_at),
    }
