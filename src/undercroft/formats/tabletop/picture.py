"""Pictures for tabletops: exactly the map, a whole number of pixels a square; one for the game master, one for the
players.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.errors import unknown_name_error
from undercroft.formats import png
from undercroft.formats.native.native import format_json
from undercroft.formats.shared.checked import to_json_value

if TYPE_CHECKING:
    from PIL import Image

PLAYER_STYLE, GM_STYLE = "pixels", "dark"
"""How the players' picture looks unless somebody says otherwise, and the game master's, which has numbers and the way.
"""
LIT_STYLES = ("pixels",)
"""Styles whose pictures show light and shadow."""
DEFAULT_CELL_PIXELS = 70
"""Pixels a square that most tabletops begin with."""
MAX_SIDE_PIXELS, MAX_PIXELS = 8192, 20_000_000
"""Pixels of a side, and of a whole picture, that tabletops can be trusted with; more are drawn only if somebody asks
for them.
"""
PLAYER_HIDDEN_PARTS = ("numbers", "names", "path", "regions", "graph", "heat", "secrets")
"""Parts of a picture that tell players what they would have to find out."""
MARGIN_PARTS = ("legend", "title", "scale", "measures")
"""Parts that stand beside the map."""
ENCODINGS = ("png", "webp")


def fit_cell_pixels(level: Level, cell: int | None = None, wish: int = DEFAULT_CELL_PIXELS) -> int:
    """Pixels a square: those asked for, else as many as are usual, or fewer if the picture would be too large.

    >>> fit_cell_pixels(Level.parse("#.#")), fit_cell_pixels(Level.parse("." * 2000))
    (70, 4)
    """
    if cell is not None:
        from undercroft.draw.view.canvas import check_cell_pixels

        check_cell_pixels(cell)
        return cell
    while wish > 1 and (
        level.width * level.height * wish * wish > MAX_PIXELS or max(level.size) * wish > MAX_SIDE_PIXELS
    ):
        wish -= 1
    return wish


def choose_style(style: str, *, players: bool) -> str:
    """The style asked for, else the usual one."""
    return style or (PLAYER_STYLE if players else GM_STYLE)


def render_map(
    level: Level, *, players: bool, cell: int, style: str = "", show: Iterable[str] = (), hide: Iterable[str] = ()
) -> Image.Image:
    """The map alone, `cell` pixels a square."""
    from undercroft.draw.styles import table

    seen = for_players(level) if players else level
    unseen = {*MARGIN_PARTS, *(PLAYER_HIDDEN_PARTS if players else ())}.difference(show).union(
        table.normalise_parts(hide)
    )
    return table.render_picture(
        seen, choose_style(style, players=players), cell=cell, show=show, hide=sorted(unseen), margin=0
    )


def encode_image(image: Image.Image, encoding: str = "png", origin: str = "") -> bytes:
    """The picture as the bytes of a file. PNG files can tell how their level was made."""
    if encoding not in ENCODINGS:
        raise unknown_name_error("kind of picture", str(encoding), ENCODINGS)
    file = io.BytesIO()
    if encoding == "webp":
        image.save(file, "WEBP", quality=90, method=4)
        return file.getvalue()
    from PIL.PngImagePlugin import PngInfo

    notes = PngInfo()
    if origin:
        notes.add_itxt("undercroft", origin)
    image.save(file, "PNG", pnginfo=notes)
    return file.getvalue()


def format_origin(level: Level) -> str:
    """How the level was made, as the text that files keep; nothing if nobody knows."""
    return format_json(to_json_value(level.provenance, "provenance")) if level.provenance else ""


def dump_gm(level: Level, *, cell: int | None = None, **options: Any) -> bytes:
    """The picture for the game master, as PNG."""
    return encode_image(
        render_map(level, players=False, cell=fit_cell_pixels(level, cell), **options), origin=format_origin(level)
    )


def dump_player(level: Level, *, cell: int | None = None, **options: Any) -> bytes:
    """The picture for the players, as PNG. It does not tell how the level was made, because that would tell
    everything.
    """
    return encode_image(render_map(level, players=True, cell=fit_cell_pixels(level, cell), **options))


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a game master's picture was made."""
    return png.read_origin(data, file)
