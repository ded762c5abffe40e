"""Levels for the eye: text for a terminal, and pictures."""
