"""What a text claims beside numbers, held against the rules."""
