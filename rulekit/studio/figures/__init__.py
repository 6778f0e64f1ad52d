"""What many matches of a text come to: before and now, what goes with winning, how often lines run."""
