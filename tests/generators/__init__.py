"""Matches, games, rules and plans made by chance or by hand for other tests."""
