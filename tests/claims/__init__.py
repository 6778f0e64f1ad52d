"""A published rulebook held against the rules."""
