"""From positions, decisions and events to what a person reads."""
