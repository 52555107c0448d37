"""What is particular to each problem: default algorithm, bounds, ledger."""
