"""Semantic records below a root: a log and vector files that are the truth, and what is derived from them."""
