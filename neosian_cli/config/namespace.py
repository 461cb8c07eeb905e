"""Semantic namespaces and caps, as configuration gives them: plain values without their file."""

from __future__ import annotations

from neosian_cli.config import defaults
from neosian_cli.errors import Failure
from neosian_cli.model.grammar import excerpt
from neosian_cli.model.query import Planner
from neosian_cli.model.value import fields, value

BACKENDS = ("files",)


@value
class EmbedderOptions:
    """How a remote embedder is reached. `timeout` is in seconds; None leaves the choice to the provider."""

    api_key_env: str | None = None
    timeout: float = defaults.REQUEST_TIMEOUT
    base_url: str | None = None
    batch_size: int = defaults.BATCH_SIZE
    send_dimensions: bool | None = None

    def shown(self) -> dict[str, object]:
        """Plain values for JSON. The environment variable's name is among them, its value never."""
        return {name: getattr(self, name) for name in fields(type(self))}


@value
class Embedder:
    """`model` and `dimensions` None: the provider's own. `cache_size` counts entries; negative means no cache."""

    provider: str
    model: str | None = None
    dimensions: int | None = None
    cache_size: int = defaults.CACHE_SIZE
    options: EmbedderOptions = EmbedderOptions()

    def shown(self) -> dict[str, object]:
        return {
            "provider": self.provider,
            "model": self.model,
            "dimensions": self.dimensions,
            "cache_size": self.cache_size,
            "options": self.options.shown(),
        }


@value
class Namespace:
    """One namespace of the configuration; `line` is where it stands in the file."""

    name: str
    embedder: Embedder
    backend: str = "files"
    text_search: str = "simple"
    line: int = 0
    planner: Planner = Planner()

    def require_backend(self) -> None:
        """Raise `unsupported` for a backend that this program does not have; asked when the namespace is used."""
        if self.backend not in BACKENDS:
            raise Failure(
                "unsupported",
                f"namespace {self.name} asks for the backend {excerpt(self.backend)}; there is only {BACKENDS[0]}",
                namespace=self.name,
                backend=self.backend,
            )

    def shown(self) -> dict[str, object]:
        return {
            "name": self.name,
            "backend": self.backend,
            "text_search": self.text_search,
            "embedder": self.embedder.shown(),
            "planner": self.planner.shown(),
        }


@value
class Caps:
    """The largest values that a request may ask for."""

    top_k: int = defaults.TOP_K
    rerank_candidate_k: int = defaults.RERANK_CANDIDATE_K
    max_rows: int = defaults.MAX_ROWS
    batch: int = defaults.BATCH

    def shown(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in fields(type(self))}
