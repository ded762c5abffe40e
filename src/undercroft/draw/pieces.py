"""Moved to `undercroft.draw.autotile.pieces`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(__name__, "undercroft.draw.autotile.pieces")
