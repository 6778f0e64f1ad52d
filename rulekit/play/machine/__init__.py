"""The machine on which operations run, and the tables of what operations and expressions mean."""
