"""Changes that an editor proposes: what mends a finding, and the one layout."""
