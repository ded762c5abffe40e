"""How lines are drawn: outlines, hatching, noise, free space."""
