"""Pages of the documentation, executed."""
