"""The commands as people at a terminal and scripts meet them; golden files."""
