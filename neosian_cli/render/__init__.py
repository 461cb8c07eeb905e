"""Values to text; the only room that imports rich."""
