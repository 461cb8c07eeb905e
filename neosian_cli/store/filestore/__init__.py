"""Stores that the Python package neosian 1.12 has written with its FileStore: read, never changed."""
