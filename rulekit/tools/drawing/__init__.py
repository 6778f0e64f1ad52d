"""Drawings: a position as a picture of plain values, and that as SVG."""
