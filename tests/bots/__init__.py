"""Bots: how they play, what they believe, what they know nothing of."""
