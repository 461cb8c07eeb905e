"""Durable state for agents and shell scripts, on a plain directory that an operator owns."""

__version__ = "0.1.0"
