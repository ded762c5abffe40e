"""Folders of grammar rules."""
