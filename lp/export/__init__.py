"""The linear programs for other solvers: exact, in whole numbers, as MPS, LP and VIPR files."""
