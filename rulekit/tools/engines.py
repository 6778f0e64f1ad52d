"""Which engines there are; `auto` is the fastest that is there."""

ENGINES = ("auto", "interpreter", "python", "wasm")
