"""Findings of an audit as remarks in a document, and what people answered as decisions about the findings."""
