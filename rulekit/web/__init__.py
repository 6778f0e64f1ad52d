"""Tables in the browser: pages made on the server, forms that need no script, on each page one seat's view alone."""
