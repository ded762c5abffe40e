"""The server: routes, the socket, the worker processes."""
