"""From names and expressions in the syntax to resolved, typed expressions."""
