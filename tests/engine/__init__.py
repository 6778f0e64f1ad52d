"""The reference engine: states, grids, scenarios, logs."""
