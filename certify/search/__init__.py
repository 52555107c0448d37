"""Searching for instances on which an algorithm does badly, and making them small."""
