"""Vectors to measure with: around 4,000 centres, as embeddings of texts are, or spread evenly, as none are."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

CENTRES = 4000
INNER = 48
SHARES = {"half": 2, "tenth": 10, "hundredth": 100, "thousandth": 1000}
"""Metadata keys, and which part of the records each selects with the value 1."""


def clustered(count: int, dimensions: int, seed: int = 1) -> Any:
    """Unit vectors with as many degrees of freedom as `INNER`, and some noise in all the others."""
    import numpy as np

    generator = np.random.default_rng(seed)
    centres = generator.normal(size=(CENTRES, INNER))
    spread = generator.normal(size=(INNER, dimensions)) / 7
    latent = centres[generator.integers(0, CENTRES, count)] + 0.4 * generator.normal(size=(count, INNER))
    return _at_length_one((latent @ spread + 0.05 * generator.normal(size=(count, dimensions))).astype("f4"))


def uniform(count: int, dimensions: int, seed: int = 1) -> Any:
    import numpy as np

    return _at_length_one(np.random.default_rng(seed).normal(size=(count, dimensions)).astype("f4"))


def _at_length_one(vectors: Any) -> Any:
    import numpy as np

    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors


def near(vectors: Any, count: int, seed: int = 2) -> Any:
    """Queries: some of the vectors, moved a little."""
    import numpy as np

    generator = np.random.default_rng(seed)
    some = vectors[generator.integers(0, len(vectors), count)]
    return (some + 0.02 * generator.normal(size=some.shape)).astype("f4")


def write(place: Path, vectors: Any) -> dict[str, str]:
    """The records as JSON Lines, the vectors as numpy, one query in each form; the names of the files."""
    import numpy as np
    import orjson

    count = len(vectors)
    words = (np.random.default_rng(3).zipf(1.3, size=(count, 24)) % 20_000).tolist()
    with (place / "records.jsonl").open("wb") as out:
        for number in range(count):
            record = {
                "id": f"r{number:08d}",
                "content": " ".join(f"w{word}" for word in words[number]),
                "vector": vectors[number],
                "metadata": {key: str(number % share) for key, share in SHARES.items()},
            }
            out.write(orjson.dumps(record, option=orjson.OPT_SERIALIZE_NUMPY) + b"\n")
    query = near(vectors, 1)[0]
    np.save(place / "vectors.npy", vectors)
    np.save(place / "query.npy", query)
    (place / "vectors.raw").write_bytes(vectors.astype("<f4").tobytes())
    (place / "query.raw").write_bytes(query.astype("<f4").tobytes())
    (place / "query.json").write_text(json.dumps([float(number) for number in query]))
    names = {"npy": "vectors.npy", "query": "query.npy", "raw": "query.raw", "raws": "vectors.raw"}
    return {key: str(place / name) for key, name in names.items()} | {"count": str(count)}
