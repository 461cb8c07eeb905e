"""One use case a function, the same for the command line and for every later door."""
