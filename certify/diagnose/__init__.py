"""Somebody's own dual variables and intervals, held against the dual linear program: what fails, what repairs it."""
