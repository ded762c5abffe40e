"""Ours against peers and floors, in one interleaved run, as ratios."""
