"""Tests, and what they are made with: a package, so that two folders may hold modules of one name."""
