"""Timelines as moving pictures."""
