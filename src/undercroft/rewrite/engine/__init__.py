"""A program as tables, and the tables at work."""
