"""Ollama: `POST {base}/api/embed` with `{"model","input":[…]}`, answered by `embeddings` in the order of the input."""

from __future__ import annotations

from neosian_cli.embedders.answer import answer_limit, pack_vectors
from neosian_cli.embedders.transport import Clocks, Endpoint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from neosian_cli.embedders.port import Options

DEFAULT_BASE = "http://localhost:11434"
DEFAULT_MODEL = "nomic-embed-text"
DIMENSIONS = {
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "all-minilm": 384,
    "bge-m3": 1024,
    "snowflake-arctic-embed": 1024,
}


class OllamaEmbedder:
    """A model that an Ollama server has pulled."""

    def __init__(self, model: str, dimensions: int, options: Options, clocks: Clocks) -> None:
        base = (options.base_url or DEFAULT_BASE).rstrip("/")
        self.dimensions = dimensions
        self._model = model
        self.at_once = options.batch_size
        self._endpoint = Endpoint(f"{base}/api/embed", timeout=options.timeout, clocks=clocks)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        vectors: list[bytes] = []
        for start in range(0, len(texts), self.at_once):
            vectors.extend(self._request(texts[start : start + self.at_once]))
        return vectors

    def _request(self, texts: Sequence[str]) -> list[bytes]:
        body = {"model": self._model, "input": list(texts)}
        answer = self._endpoint.post(body, limit=answer_limit(len(texts), self.dimensions))
        found = answer.get("embeddings") if isinstance(answer, dict) else None
        if not isinstance(found, list):
            raise self._endpoint.unavailable("answered without `embeddings`")
        return pack_vectors(self._endpoint, found, len(texts), self.dimensions)
