"""Worker processes: a pool, its messages, and the same work in this process."""
