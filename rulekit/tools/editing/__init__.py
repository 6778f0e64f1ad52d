"""What editors ask of a rules file: findings, colours, completion, hover, places, renames, corrections."""
