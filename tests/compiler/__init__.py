"""Plans and what runs them: each statement, each pass, Python and WebAssembly."""
