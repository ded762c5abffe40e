"""The styles: one package each, and the table that lists them."""

from undercroft.deprecation import moved

__getattr__ = moved(
    __name__,
    "undercroft.draw.styles.table",
    ("PARTS", "STYLES", "Style", "WIDEST", "parts_of", "picture", "shown", "vector"),
)
