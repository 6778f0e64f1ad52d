"""From the sums of a series to estimates with intervals."""
