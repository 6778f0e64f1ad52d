"""What each operation and each expression does in the reference engine."""
