"""Two editions of a game, tied to the same clauses, held against each other."""
