"""Differential testing: the reference engine and the compiled ones play the same matches."""
