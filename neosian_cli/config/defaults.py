"""What holds where the configuration says nothing."""

from __future__ import annotations

LOCK_TIMEOUT = 10.0  # seconds
CACHE_SIZE = 4_096  # embeddings
BATCH_SIZE = 64  # texts in one request
REQUEST_TIMEOUT = 30.0  # seconds

TOP_K = 1_000
RERANK_CANDIDATE_K = 1_000
MAX_ROWS = 100_000
BATCH = 10_000
