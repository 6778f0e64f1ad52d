"""What rules claim beside numbers, and the words by which a text claims it."""
