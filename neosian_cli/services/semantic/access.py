"""One namespace as a use case works with it: its binding, its embedder and cache, and where they come from.

What a namespace is bound to is decided once. A configuration may name it before it exists; then it is bound by its
first write. How the embedder is reached (options, cache size) may change: the configuration says, else what `create`
was given.
"""

from __future__ import annotations

from neosian_cli.errors import Failure
from neosian_cli.model import times
from neosian_cli.model.namespace import Binding, Namespace, check_name, check_text_search
from neosian_cli.model.query import Planner
from neosian_cli.model.value import fields
from neosian_cli.store.damage import damaged
from neosian_cli.store.semantic import binding, catalogue, places, refresh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from neosian_cli.config.namespace import Namespace as Configured
    from neosian_cli.config.settings import Settings
    from neosian_cli.disk.tree import Tree
    from neosian_cli.embedders.port import Embedder
    from neosian_cli.store.root import Store
    from neosian_cli.store.semantic.view import View

    T = TypeVar("T")


PLANNER = Planner()


class Access:
    """The way to one namespace. `environment` is where the embedder's key is read."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        name: str,
        *,
        environment: Mapping[str, str],
        sleep: Callable[[float], None],
        monotonic: Callable[[], float],
    ) -> None:
        self.name = check_name(name)
        self.store = store
        self.settings = settings
        self.environment = environment
        self._sleep = sleep
        self._monotonic = monotonic
        self._configured = settings.namespace(name)

    def find(self, tree: Tree) -> tuple[Namespace, bool]:
        """The namespace, and whether it is stored; raises `not_found`, `case_collision` or `binding_changed`."""
        there = binding.names(tree)
        stored = binding.read(tree, self.name) if self.name in there else None
        others: tuple[str, ...] = ()
        if stored is None:
            others = tuple(known.name for known in self.settings.namespaces if known.name != self.name)
            binding.refuse_other_case(tree, self.name, others)
        configured = self._configured
        if configured is None:
            if stored is None:
                raise binding.unknown(self.name, [*there, *others])
            return stored, True
        wanted = binding_of(configured)
        if stored is None:
            return Namespace(self.name, wanted, self.store.now()), False
        refuse_other_binding(stored, wanted, f"{self.settings.config_file} binds")
        return stored, True

    def view(self, tree: Tree, namespace: Namespace, *, with_vectors: bool = False) -> View:
        """What there is to read of a stored namespace; to be closed."""
        from neosian_cli.store.semantic.view import View

        view = View(self.store.root, tree, namespace, self.store.new_id, with_vectors=with_vectors)
        self.store.notes.extend(view.notes)
        return view

    def mended(self, act: Callable[[], T]) -> T:
        """What `act` gives; where a damaged catalogue keeps it from that, once more with a new one."""
        commits = self.store.commits
        try:
            return act()
        except Exception as error:
            if not catalogue.speaks_of_damage(error) or self.store.commits != commits:
                raise
        with self.store.reading() as tree:
            refresh.discard_broken(self.store.root, tree, self.name)
        self.store.notes.append(f"the catalogue of {self.name} was damaged and has been built anew")
        return act()

    @property
    def cache_size(self) -> int:
        """Entries that the embedding cache keeps; negative: there is none."""
        from neosian_cli.config import defaults

        return self._configured.embedder.cache_size if self._configured else defaults.CACHE_SIZE

    @property
    def planner(self) -> Planner:
        """Where the dense lane changes its way."""
        return self._configured.planner if self._configured else PLANNER

    def embedder(self, namespace: Namespace) -> Embedder:
        """The embedder of the binding; raises `invalid_config` where its key is missing.

        An address that only the store names is `permission_denied` where it is neither usual nor this machine's.
        """
        from neosian_cli.embedders import reach, table
        from neosian_cli.embedders.transport import Clocks

        bound = namespace.binding
        options: Any
        if self._configured:
            options = self._configured.embedder.options
        else:
            options = stored_options(namespace)
            reach.refuse_unknown(self.name, bound.provider, options)
        return table.make(
            bound.provider,
            bound.model,
            bound.dimensions,
            options,
            clocks=Clocks(self._sleep, lambda: self.store.now() / times.SECOND, self._monotonic),
            environment=self.environment,
        )


def stored_options(namespace: Namespace) -> Any:
    """How `create` was told that the embedder is reached, by the same rules; raises `record_corrupt`."""
    from neosian_cli.config.namespace import EmbedderOptions

    known = {key: value for key, value in namespace.options.items() if key in fields(EmbedderOptions)}
    if not known:
        return EmbedderOptions()
    from neosian_cli.config.load import embedder_options

    spelled = {key: f"{value}s" if key == "timeout" else str(value) for key, value in known.items()}
    if "send_dimensions" in spelled:
        spelled["send_dimensions"] = spelled["send_dimensions"].lower()
    try:
        return embedder_options(spelled)
    except Failure as failure:
        reason = failure.message.removeprefix("--option ")
        raise damaged(places.binding_file(namespace.name), f"is damaged: its option {reason}") from None


def binding_of(configured: Configured) -> Binding:
    """What a configuration binds a namespace to; raises `invalid_config` that names it."""
    from neosian_cli.embedders import table

    try:
        model, dimensions = table.complete(
            configured.embedder.provider, configured.embedder.model, configured.embedder.dimensions
        )
        text_search = check_text_search(configured.text_search)
    except Failure as failure:
        message = f"namespace {configured.name}: {failure.message}"
        raise Failure("invalid_config", message, hint=failure.hint, line=configured.line) from None
    return Binding(configured.embedder.provider, model, dimensions, text_search)


def refuse_other_binding(stored: Namespace, wanted: Binding, who: str) -> None:
    """Raise `binding_changed` unless a namespace is bound to just this."""
    for name in fields(Binding):
        bound, other = getattr(stored.binding, name), getattr(wanted, name)
        if bound != other:
            raise Failure.conflict(
                "binding_changed",
                f"the namespace {stored.name} has the {name} {bound}; {who} it to {other}",
                hint="make another namespace and load the records into it",
                namespace=stored.name,
                field=name,
                bound=bound,
                wanted=other,
            )
