"""Worker processes: a pool, its messages, and a runner with the same results in the current process."""
