"""Moved to `undercroft.templates.layouts.drawn_text`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(__name__, "undercroft.templates.layouts.drawn_text")
