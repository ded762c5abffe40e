"""Moved to `undercroft.draw.styles.printed.printed`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.draw.styles.printed.printed")
