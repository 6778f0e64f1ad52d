"""The commands about many matches: `simulate`, `compare`, `sweep`, `tune`."""
