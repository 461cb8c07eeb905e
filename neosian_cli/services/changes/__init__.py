"""The change feed of a mount's scope: reading it, keeping one's place in it, looking after it."""
