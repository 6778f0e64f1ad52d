"""The commands whose result is a page: written to a file, or served to a browser."""
