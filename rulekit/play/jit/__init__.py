"""From codes that run often to Python functions that do the same."""
