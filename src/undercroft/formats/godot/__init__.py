"""Scenes for Godot."""
