"""Instrumentation and static facts that several tools need."""
