"""Our own tileset: pieces of 16x16 pixels, and how they are laid on a level."""
