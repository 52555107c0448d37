"""The texts of the page: templates, scripts, styles."""
