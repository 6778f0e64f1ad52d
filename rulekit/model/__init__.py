"""From syntax to a checked game: names resolved, types known, bodies lowered to flat operations."""
