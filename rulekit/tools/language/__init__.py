"""Every text that people read, and its translation into other languages."""
