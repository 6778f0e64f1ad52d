"""Names, types, checks and limits: what is said of a rules file before it is played."""
