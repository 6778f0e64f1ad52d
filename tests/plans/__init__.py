"""Plans by their written specification: what a valid one is, and what it does; both written apart from the compiler."""
