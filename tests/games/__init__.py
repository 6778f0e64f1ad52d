"""Published games and small examples, each held against its own specification or counts."""
