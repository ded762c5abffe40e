"""Many levels: a pool of worker processes, and what runs on it."""

ENTRY_MODULE = "undercroft.bulk.worker_main"
"""The module that worker processes of this package start."""
