"""Timelines as animations."""
