"""Measure many levels of a recipe."""
