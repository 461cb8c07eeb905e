"""Semantic records: what can be asked of a namespace, one use case a function."""
