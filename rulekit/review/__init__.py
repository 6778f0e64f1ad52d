"""The review desk: a published book beside the rules, passage by passage, in the browser."""
