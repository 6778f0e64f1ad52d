"""Rules that somebody edits, with their match, examples and figures, on one page in the browser."""
