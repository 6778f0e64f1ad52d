"""Players that are programs.  Each gets a decision and what its seat may know, never the true state."""
