"""Render levels as text for a terminal and as pictures."""
