"""Moved to `undercroft.analysis.player_view`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.analysis.player_view")
