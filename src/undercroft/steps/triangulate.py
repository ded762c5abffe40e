"""Moved to `undercroft.steps.links.triangulate`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(__name__, "undercroft.steps.links.triangulate", renamed={"neighbours": "delaunay_pairs"})
