"""A checked game compiled: lowered to an integer plan, emitted as Python source or WebAssembly."""
