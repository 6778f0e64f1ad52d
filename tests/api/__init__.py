"""What Python programs use: slips, views, positions, saving, recording, series."""
