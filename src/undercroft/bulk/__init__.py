"""Many levels: a pool of worker processes, and what runs on it."""
