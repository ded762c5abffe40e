"""Rooms that scale: layouts, their text and JSON, pools, and a linter."""
