"""From declarations in the syntax to entries of the symbol table."""
