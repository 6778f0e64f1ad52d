"""The numbers that rules hold, each with its line, its clauses and what it is about."""
