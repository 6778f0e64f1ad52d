"""Running operations until somebody must decide: the main loop, decisions, reactions, simultaneous blocks."""
