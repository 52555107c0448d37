"""Load balancing: the linear program, its exact optimum, and the offline optimum of the largest load."""
