"""A game as one page: what stands in it, and the table that runs inside it, in a browser's Python."""
