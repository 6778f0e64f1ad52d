"""Passes from plan to plan, and what they need to know; they know nothing of the rules."""
