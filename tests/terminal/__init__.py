"""What people see at a terminal: what fits on it, going back and forth, going on."""
