"""Text to vectors: one file a provider behind one port."""
