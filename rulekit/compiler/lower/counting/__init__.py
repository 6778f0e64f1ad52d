"""What a series counts in its matches, and how that is summed up."""
