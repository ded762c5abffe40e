"""Rooms that scale: layouts, their text and JSON, pools of them, and what can be said of them."""
