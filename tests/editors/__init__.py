"""What docs/editors.md promises: explaining, examples that fail, coverage, pinning, differences."""
