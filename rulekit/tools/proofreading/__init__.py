"""From a rulebook to what an editor would mark in it."""
