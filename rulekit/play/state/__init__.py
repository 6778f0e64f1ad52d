"""What a match is made of: states, settings, values, events and random numbers, all plain data."""
