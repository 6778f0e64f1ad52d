"""The intermediate representation: what a plan is, when it is valid, and where control goes in it."""
