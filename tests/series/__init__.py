"""Many matches: simulated, compared, swept, on a cluster."""
