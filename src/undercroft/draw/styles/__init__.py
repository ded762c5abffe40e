"""The styles: one package each, and the table that lists them."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(
    __name__,
    "undercroft.draw.styles.table",
    ("PARTS", "STYLES", "Style", "WIDEST", "parts_of", "picture", "shown", "vector"),
    renamed={
        "PARTS": "PICTURE_PARTS",
        "WIDEST": "MAX_MARGIN_CELLS",
        "parts_of": "normalise_parts",
        "picture": "render_picture",
        "shown": "resolve_parts",
        "vector": "render_vector",
    },
)
