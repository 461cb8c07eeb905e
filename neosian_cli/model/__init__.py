"""Plain values and their rules: no I/O, no clock, no environment."""
