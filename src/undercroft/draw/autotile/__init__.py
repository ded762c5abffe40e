"""Which piece of a tileset each cell gets."""
