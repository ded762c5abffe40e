"""Moved to `undercroft.steps.frames`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.steps.frames")
