"""Dungeon recipes: floors that stairs join."""
