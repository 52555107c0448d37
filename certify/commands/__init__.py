"""The commands of `dualfit`, one module each."""
