"""Moved to `undercroft.steps.frames`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(
    __name__, "undercroft.steps.frames", renamed={"before": "copy_tiles_if_watched", "stride": "parts_per_turn"}
)
