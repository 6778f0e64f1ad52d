"""Two rules files compared as syntax trees: which parts are not the same, and the clauses of those parts."""
