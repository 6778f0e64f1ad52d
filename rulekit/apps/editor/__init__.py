"""What editors start: the language server."""
