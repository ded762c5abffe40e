"""Moved to `undercroft.steps.links.triangulate`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.steps.links.triangulate")
