"""Write files for virtual tabletops."""
