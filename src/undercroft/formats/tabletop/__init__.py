"""Files for virtual tabletops."""
