"""Online algorithms for maximum flow time."""
