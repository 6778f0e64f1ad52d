"""What is measured of the interpreter alone."""
