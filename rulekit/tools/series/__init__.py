"""Series of matches played by chance or by bots, and what is counted in them."""
