"""The commands about one match: `run`, `replay`, `explain`."""
