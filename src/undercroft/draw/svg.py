"""Moved to `undercroft.draw.scene.svg`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.draw.scene.svg")
