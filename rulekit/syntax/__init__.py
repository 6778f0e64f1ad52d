"""From text to a syntax tree, and back to text in the one layout."""
