"""Moved to `undercroft.draw.film.animation`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(__name__, "undercroft.draw.film.animation", renamed={"kind_of": "detect_animation_kind"})
