"""Games as environments of other people's programs; see docs/adapters.md."""
