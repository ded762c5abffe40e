"""Rooms drawn by hand with sockets, and how they are put together."""
