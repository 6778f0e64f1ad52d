"""Many matches at once, answered by number and observed: the functions of the plan for that."""
