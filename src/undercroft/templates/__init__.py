"""Drawn rooms that larger maps are built from: layouts that scale, and prefabs with sockets."""
