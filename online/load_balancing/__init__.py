"""Online algorithms for load balancing."""
