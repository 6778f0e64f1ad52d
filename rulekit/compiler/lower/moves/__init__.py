"""What pieces, cards, grids and places become."""
