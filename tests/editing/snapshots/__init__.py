"""The language server's answers to questions about `world/hill.rules`, one golden file for each behaviour.

Before the places that are asked about stand letters of two UTF-16 units each.  `python -m tests.editing.snapshots`
makes the files anew; the diff is to be reviewed.
"""
