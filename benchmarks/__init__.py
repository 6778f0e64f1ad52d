"""Measurements of speed: ratios to other programs, and of one version to another."""
