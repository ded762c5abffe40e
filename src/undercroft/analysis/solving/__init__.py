"""Locks, keys, switches and one-way doors: what a level asks of whoever plays it."""
