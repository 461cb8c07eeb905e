"""One module a group: options in, service called, value rendered, exit status out."""
