"""Scenarios: run, written, repaired, and tried on changed rules."""
