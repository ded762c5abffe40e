"""The messages between page and server, and the project folder."""
