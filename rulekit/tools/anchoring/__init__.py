"""Passages of a published book proposed for the clauses of its rules."""
