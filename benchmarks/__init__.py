"""Measure our code against peers and floors in one interleaved run, as ratios."""
