"""Moved to `undercroft.steps.rooms.split`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.steps.rooms.split")
