"""From figures to HTML pages and plots."""
