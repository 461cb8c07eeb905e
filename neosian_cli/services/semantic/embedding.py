"""Texts to vectors: from the cache where they are known, else from the embedder, outside the root lock.

What has been paid for is kept at once, batch by batch, so that a load that is broken off goes on from there. It is
dropped instead where the namespace's history was rewritten meanwhile: an erasure must not be undone by a slow call.
"""

from __future__ import annotations

from neosian_cli.model.advance import ignored
from neosian_cli.store.semantic import binding
from neosian_cli.store.semantic.cache import Cache, key_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neosian_cli.disk.tree import Tree
    from neosian_cli.model.advance import Advance
    from neosian_cli.model.namespace import Namespace
    from neosian_cli.services.semantic.access import Access


class Embedding:
    """The vectors of some texts. `hits` and `misses` count texts as asked for, the first of several equal ones once."""

    def __init__(self, access: Access, namespace: Namespace) -> None:
        self._access = access
        self._namespace = namespace
        self._cached = access.cache_size >= 0
        self.hits = 0
        self.misses = 0
        self.keys: list[str] = []

    @property
    def counts(self) -> dict[str, int]:
        return {"hits": self.hits, "misses": self.misses}

    def of(self, texts: Sequence[str], *, for_load: bool, advance: Advance = ignored) -> Mapping[str, bytes]:
        """A vector a distinct text; `advance` hears of those that the embedder is asked for. Raises what it raises."""
        distinct = list(dict.fromkeys(texts))
        keys = {text: key_of(self._namespace.binding, text) for text in distinct}
        self.keys += keys.values()
        known = self._look_up(keys)
        missing = [text for text in distinct if text not in known]
        self.misses += len(missing)
        self.hits += len(texts) - len(missing)
        if missing:
            advance(0, len(missing))
            embedder = self._access.embedder(self._namespace)
            for start in range(0, len(missing), embedder.at_once):
                batch = missing[start : start + embedder.at_once]
                vectors = embedder.embed(batch)
                known.update(zip(batch, vectors, strict=True))
                self._keep({keys[text]: known[text] for text in batch}, for_load=for_load)
                advance(len(batch))
        return known

    def _look_up(self, keys: Mapping[str, str]) -> dict[str, bytes]:
        if not (self._cached and keys):
            return {}
        with self._access.store.reading() as tree:
            cache = self._open(tree)
            try:
                found = cache.lookup(list(keys.values()))
            finally:
                cache.close()
        size = self._namespace.binding.dimensions * 4
        return {text: found[key] for text, key in keys.items() if len(found.get(key, b"")) == size}

    def _keep(self, vectors: Mapping[str, bytes], *, for_load: bool) -> None:
        if not self._cached:
            return
        with self._access.store.reading() as tree:
            stored = binding.read(tree, self._namespace.name) if tree.exists else None
            if stored is None or stored.generation != self._namespace.generation:
                return
            cache = self._open(tree)
            try:
                cache.put(vectors, waiting=for_load)
                if not for_load:
                    cache.settle(list(vectors), self._access.cache_size)
            finally:
                cache.close()

    def settle(self, tree: Tree) -> None:
        """The load has committed: its embeddings may go when they are the oldest. Under the lock of the commit."""
        if self._cached and self.keys:
            cache = self._open(tree)
            try:
                cache.settle(self.keys, self._access.cache_size)
            finally:
                cache.close()

    def _open(self, tree: Tree) -> Cache:
        return Cache(self._access.store.root, tree, self._namespace.name)
