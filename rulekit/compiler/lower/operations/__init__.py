"""What operations become: control flow, calls, changes, questions, chance and reactions."""
