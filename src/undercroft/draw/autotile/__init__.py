"""Choose the piece of a tileset for each cell."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(
    __name__,
    "undercroft.draw.autotile.autotile",
    ("JOINS", "LOOKS", "SHARES"),
    renamed={"LOOKS": "MAX_LOOKS", "SHARES": "DEFAULT_SHARES"},
)
