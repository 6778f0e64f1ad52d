"""Why something happened in a match, and why something was not offered."""
