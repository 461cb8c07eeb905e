"""Settings: config.yaml read strictly, options and environment, and where each value came from."""
