"""The passes that make a checked game out of a file, in their order."""
