"""Drawings of REXPaint."""
