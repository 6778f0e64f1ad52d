"""Games as one page, without a browser: what stands in the page, and the table that runs inside it."""
