"""Noninterference: what a seat may not know changes nothing that it receives."""
