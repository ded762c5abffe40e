"""Our own tileset: pieces of 16x16 pixels, and how they are laid on a level."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.draw.tileset.picture", ("composed", "laid", "things", "tileset"))
