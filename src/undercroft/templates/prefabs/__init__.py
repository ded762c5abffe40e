"""Hand-drawn rooms with sockets, and their placement on a map."""
