"""Where everything lies: words and lists of a plan, and what is known of them for a whole match."""
