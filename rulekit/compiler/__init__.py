"""A checked game compiled: lowered to a plan of integers, which runs as WebAssembly or as Python source."""
