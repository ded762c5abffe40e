"""Flows: the language, other files of graphs, what can be known of a flow without drawing it."""
