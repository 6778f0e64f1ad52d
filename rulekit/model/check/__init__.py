"""Static analysis of a game whose names are resolved: lint, calls, secrets."""
