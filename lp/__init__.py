"""What could have happened: linear programs, their duals, and exact bounds on the offline optimum."""
