"""Games for OpenSpiel, made from rules files."""
