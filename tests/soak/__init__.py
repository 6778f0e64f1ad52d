"""Long runs over everything that ships, and their short forms."""
