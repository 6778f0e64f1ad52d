"""Which clauses decide: the same operations and expressions, with trails of what decided (`machine.provenance`)."""
