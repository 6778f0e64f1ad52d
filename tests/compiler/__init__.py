"""Plans and what runs them: each statement, each pass, the plain evaluator and WebAssembly."""
