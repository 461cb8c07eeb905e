"""The providers by name: what each is bound to when nothing is said, and how it is made."""

from __future__ import annotations

from neosian_cli.errors import Failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from neosian_cli.embedders.port import Embedder, Options
    from neosian_cli.embedders.transport import Clocks

PROVIDERS = ("fake", "local", "ollama", "openai")
MAX_DIMENSIONS = 65_536


def default_provider() -> str:
    """`local` where its package is installed, else `fake`."""
    from neosian_cli.embedders import local

    return "local" if local.is_installed() else "fake"


def complete(provider: str, model: str | None, dimensions: int | None) -> tuple[str, int]:
    """Model and dimensions with what was left out filled in; raises `invalid_argument`."""
    if provider not in PROVIDERS:
        raise Failure(
            "invalid_argument",
            f"unknown embedder {ascii(provider)[:60]}",
            hint=f"one of {', '.join(PROVIDERS)}",
        )
    default_model, known = _known(provider)
    model = model or default_model
    if len(model) > 256 or not model.isprintable():
        raise Failure("invalid_argument", f"model {ascii(model)[:60]} is longer than 256 characters or not printable")
    fixed = known.get(model)
    dimensions = fixed if dimensions is None else dimensions
    if dimensions is None:
        raise Failure("invalid_argument", f"give the dimensions of the model {model!a}", hint="--dimensions N")
    if not 1 <= dimensions <= MAX_DIMENSIONS:
        raise Failure("invalid_argument", f"dimensions are from 1 to {MAX_DIMENSIONS}, not {dimensions}")
    if provider == "local" and (fixed is None or dimensions != fixed):
        raise Failure(
            "invalid_argument",
            f"the embedder `local` has the model {default_model} of {known[default_model]} dimensions",
        )
    return model, dimensions


def make(
    provider: str,
    model: str,
    dimensions: int,
    options: Options,
    *,
    clocks: Clocks,
    environment: Mapping[str, str],
) -> Embedder:
    """The embedder of a checked binding; a missing key is `invalid_config`."""
    if provider == "fake":
        from neosian_cli.embedders.fake import FakeEmbedder

        return FakeEmbedder(dimensions)
    if provider == "local":
        from neosian_cli.embedders.local import LocalEmbedder

        return LocalEmbedder()
    if provider == "ollama":
        from neosian_cli.embedders.ollama import OllamaEmbedder

        return OllamaEmbedder(model, dimensions, options, clocks)
    if provider == "openai":
        from neosian_cli.embedders.openai import OpenAIEmbedder

        return OpenAIEmbedder(model, dimensions, options, clocks, environment)
    raise Failure("unsupported", f"this version knows no embedder {ascii(provider)[:60]}")


def _known(provider: str) -> tuple[str, dict[str, int]]:
    """The default model of a provider, and the dimensions of the models that we know."""
    if provider == "ollama":
        from neosian_cli.embedders import ollama

        return ollama.DEFAULT_MODEL, ollama.DIMENSIONS
    if provider == "openai":
        from neosian_cli.embedders import openai

        return openai.DEFAULT_MODEL, openai.DIMENSIONS
    if provider == "local":
        from neosian_cli.embedders import local

        return local.DEFAULT_MODEL, {local.DEFAULT_MODEL: local.DIMENSIONS}
    from neosian_cli.embedders import fake

    return "sha256", {"sha256": fake.DEFAULT_DIMENSIONS}
