"""What compiled engines offer and share, whatever they are made of."""
