"""The claims of the papers, one small function each, grouped by section."""
