"""Rules that everybody knows, under the same interface, to compare the papers' algorithms with."""
