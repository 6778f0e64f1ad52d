"""From the statements of a body to flat operations with jumps."""
