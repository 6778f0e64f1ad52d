"""How true it is what events say of their clauses, measured: precision and recall of provenance."""
