"""Games as environments of other people's programs."""
