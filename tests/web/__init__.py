"""Tables in the browser, by the bytes that come over the wire."""
