"""Text to syntax and back."""
