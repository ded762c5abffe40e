"""Moved to `undercroft.bulk.measure.measure_recipe`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(__name__, "undercroft.bulk.measure.measure_recipe")
