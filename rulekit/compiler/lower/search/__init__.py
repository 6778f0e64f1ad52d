"""How a plan is searched: information-set Monte Carlo tree search, as functions of the plan."""
