"""Locks, keys, switches and one-way doors: solve a level and prove that it cannot be lost."""
