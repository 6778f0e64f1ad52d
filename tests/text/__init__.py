"""Rule text: catalogues, other languages, the printed rulebook."""
