"""What leads on in a match of the interpreter, told by a compiled one that plays along."""
