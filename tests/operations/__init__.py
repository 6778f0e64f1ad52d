"""Every operation, with what tools and engines say of it, compared with what happens."""
