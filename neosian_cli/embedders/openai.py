"""OpenAI and what speaks like it: `POST {base}/v1/embeddings`, answered by `data` whose items carry an `index`."""

from __future__ import annotations

from neosian_cli.embedders.answer import answer_limit, pack_vectors
from neosian_cli.embedders.transport import Clocks, Endpoint
from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from neosian_cli.embedders.port import Options

DEFAULT_BASE = "https://api.openai.com"
DEFAULT_MODEL = "text-embedding-3-small"
DEFAULT_KEY_VARIABLE = "OPENAI_API_KEY"
DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072, "text-embedding-ada-002": 1536}
SHORTENED = "text-embedding-3"
"""Models of this family take the wished dimensions; older ones refuse the field."""


class OpenAIEmbedder:
    """One model; the key comes from the environment variable that the options name."""

    def __init__(
        self,
        model: str,
        dimensions: int,
        options: Options,
        clocks: Clocks,
        environment: Mapping[str, str],
    ) -> None:
        base = (options.base_url or DEFAULT_BASE).rstrip("/")
        path = "/embeddings" if base.endswith("/v1") else "/v1/embeddings"
        send = options.send_dimensions
        self.dimensions = dimensions
        self._model = model
        self.at_once = options.batch_size
        self._send_dimensions = model.startswith(SHORTENED) if send is None else send
        key = read_key(environment, options.api_key_env or DEFAULT_KEY_VARIABLE)
        self._endpoint = Endpoint(f"{base}{path}", timeout=options.timeout, clocks=clocks, key=key)

    def embed(self, texts: Sequence[str]) -> list[bytes]:
        vectors: list[bytes] = []
        for start in range(0, len(texts), self.at_once):
            vectors.extend(self._request(texts[start : start + self.at_once]))
        return vectors

    def _request(self, texts: Sequence[str]) -> list[bytes]:
        body: dict[str, object] = {"model": self._model, "input": list(texts)}
        if self._send_dimensions:
            body["dimensions"] = self.dimensions
        answer = self._endpoint.post(body, limit=answer_limit(len(texts), self.dimensions))
        items = answer.get("data") if isinstance(answer, dict) else None
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise self._endpoint.unavailable("answered without `data`")
        if len(items) != len(texts):
            raise self._endpoint.unavailable(f"answered with {len(items)} vectors to {len(texts)} texts")
        by_index = {item["index"]: item.get("embedding") for item in items if type(item.get("index")) is int}
        if sorted(by_index) != list(range(len(texts))):
            raise self._endpoint.unavailable(f"answered with indexes other than 0 to {len(texts) - 1}, each once")
        ordered = [by_index[index] for index in range(len(texts))]
        return pack_vectors(self._endpoint, ordered, len(texts), self.dimensions)


def read_key(environment: Mapping[str, str], variable: str) -> str:
    """The key; raises `invalid_config` that names the variable and shows nothing of its value."""
    key = environment.get(variable, "").strip()
    if not key:
        raise Failure(
            "invalid_config",
            f"the environment variable {variable} holds no key for the embedder",
            hint=f"export {variable}=…",
            variable=variable,
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise Failure("invalid_config", f"the key in {variable} holds characters that no key has", variable=variable)
    return key
