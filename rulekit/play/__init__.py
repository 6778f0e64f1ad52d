"""The reference engine: what every construct of the language means."""
