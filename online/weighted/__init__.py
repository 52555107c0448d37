"""Weighted maximum flow time: algorithms A and B of [R] sections 6.2, 6.3 and 7, as engines on whole instances."""
