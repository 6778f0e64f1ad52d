"""Two games, versions, options or readings held against each other."""
