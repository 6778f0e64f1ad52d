"""The WebAssembly back end."""
