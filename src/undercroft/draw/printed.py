"""Moved to `undercroft.draw.styles.printed.printed`; this name works until the next release."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(
    __name__, "undercroft.draw.styles.printed.printed", renamed={"one_page": "render_one_page"}
)
