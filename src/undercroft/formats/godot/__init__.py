"""Write scenes for Godot."""
