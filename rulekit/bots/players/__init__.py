"""The bots that can be seated, and how they choose an answer."""
