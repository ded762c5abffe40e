"""Numbers of many levels of a recipe."""
