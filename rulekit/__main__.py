"""`python -m rulekit` is the `rulekit` command."""

from rulekit.apps.cli import main

main()
