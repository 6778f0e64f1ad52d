"""What is known of expressions and operations before anything runs."""
