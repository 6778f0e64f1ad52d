"""From matches to logs and saved states, and back."""
