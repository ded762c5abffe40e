"""Moved to `undercroft.bulk.measure.measure_recipe`; this name works until the next release."""

from undercroft.deprecation import moved

__getattr__ = moved(__name__, "undercroft.bulk.measure.measure_recipe")
