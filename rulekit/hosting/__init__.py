"""Matches that live at tables: kept in one SQLite file, played by people and bots, seen by each seat for itself."""
