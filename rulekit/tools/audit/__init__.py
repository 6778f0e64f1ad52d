"""A published rulebook or a translation held against the rules."""
