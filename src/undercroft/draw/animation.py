"""Moved to `undercroft.draw.film.animation`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.draw.film.animation")
