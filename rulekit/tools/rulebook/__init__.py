"""From a rules file to a rulebook to print."""
