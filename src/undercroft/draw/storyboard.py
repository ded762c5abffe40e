"""Moved to `undercroft.draw.sheets.storyboard`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(__name__, "undercroft.draw.sheets.storyboard")
