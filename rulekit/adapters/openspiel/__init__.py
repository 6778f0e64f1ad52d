"""Games for OpenSpiel, made from rules files; see docs/adapters.md."""
