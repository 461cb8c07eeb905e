"""The manual: man pages, completions and `docs/cli.md`, made from the table of options and the pages of the package."""
