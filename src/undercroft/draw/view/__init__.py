"""A level as a drawer sees it: outlines, doors, stairs, symbols, labels, legend."""
