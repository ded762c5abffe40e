"""Plots of measures and timings."""
