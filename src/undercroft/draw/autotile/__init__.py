"""Which piece of a tileset each cell gets."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.draw.autotile.autotile", ("JOINS", "LOOKS", "SHARES"))
