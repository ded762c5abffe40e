"""Our own tileset: pieces of 16x16 pixels, and their placement on a level."""

from undercroft.deprecation import redirect_names

__getattr__ = redirect_names(
    __name__,
    "undercroft.draw.tileset.picture",
    ("composed", "laid", "things", "tileset"),
    renamed={"composed": "compose_image", "laid": "lay_pieces", "things": "thing_piece_number"},
)
