"""Moved to `undercroft.templates.layouts.drawn_text`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.templates.layouts.drawn_text")
