"""Which clauses and changes of the rules the examples and random matches notice."""
