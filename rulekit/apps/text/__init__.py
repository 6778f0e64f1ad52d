"""The commands below `rulekit text`: rule text, translations and examples held against the rules."""
