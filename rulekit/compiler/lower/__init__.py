"""From the operations and expressions of a checked game to functions of a plan."""
