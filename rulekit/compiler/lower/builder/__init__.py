"""Functions of a plan under construction: statements, names, loops, and structure from jumps."""
