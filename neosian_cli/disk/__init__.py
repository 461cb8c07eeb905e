"""The only room that writes bytes below a root."""
