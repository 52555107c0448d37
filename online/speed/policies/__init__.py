"""Policies for the problem `energy`; one family a file."""
