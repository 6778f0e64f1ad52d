"""From what a seat was told to its belief state: histories that fit it, kept by a particle filter."""
