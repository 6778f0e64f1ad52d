"""What the commands about many matches find out, as functions that return values and rows."""
