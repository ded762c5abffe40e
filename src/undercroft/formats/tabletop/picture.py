"""Pictures for tabletops: exactly the map, with a whole number of pixels per square; one for the game master, one for
the players.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.errors import unknown_name_error
from undercroft.formats import png
from undercroft.formats.shared.origin import ORIGIN_KEY, format_origin

if TYPE_CHECKING:
    from PIL import Image

PLAYER_STYLE, GM_STYLE = "pixels", "dark"
"""The default styles of the players' picture and of the game master's, which shows numbers and the path.
"""
LIT_STYLES = ("pixels",)
"""Styles that draw light and shadow."""
DEFAULT_CELL_PIXELS = 70
"""The default pixels per square of most tabletops."""
MAX_SIDE_PIXELS, MAX_PIXELS = 8192, 20_000_000
"""The most pixels of a side, and of a whole picture, that tabletops handle well; larger pictures only on request."""
PLAYER_HIDDEN_PARTS = ("numbers", "names", "path", "regions", "graph", "heat", "secrets")
"""Parts of a picture that would reveal to players what they must find out. Of the things, `for_players` leaves only
furniture.
"""
MARGIN_PARTS = ("legend", "title", "scale", "measures")
"""Parts beside the map."""
ENCODINGS = ("png", "webp")


def fit_cell_pixels(
    level: Level, cell: int | None = None, wish: int = DEFAULT_CELL_PIXELS, most: int = MAX_PIXELS
) -> int:
    """Pixels per square: the requested number, else the default, or fewer if the picture would be too large.

    >>> fit_cell_pixels(Level.parse("#.#")), fit_cell_pixels(Level.parse("." * 2000))
    (70, 4)
    """
    if cell is not None:
        from undercroft.draw.view.canvas import check_cell_pixels

        check_cell_pixels(cell)
        return cell
    while wish > 1 and (level.width * level.height * wish * wish > most or max(level.size) * wish > MAX_SIDE_PIXELS):
        wish -= 1
    return wish


def choose_style(style: str, *, players: bool) -> str:
    """The requested style, else the default one."""
    return style or (PLAYER_STYLE if players else GM_STYLE)


def render_map(
    level: Level,
    *,
    players: bool,
    cell: int,
    style: str = "",
    show: Iterable[str] = (),
    hide: Iterable[str] = (),
    tileset: Any = None,
    secret_rooms: bool = False,
) -> Image.Image:
    """A picture of the map alone, `cell` pixels per square. A `tileset` implies the style `pixels`. Rooms that only
    secret doors lead to are on the players' only if `secret_rooms` is set.
    """
    from undercroft.draw.styles import table

    if tileset is not None and not style:
        style = table.TILESET_STYLE

    seen = for_players(level, secret_rooms=secret_rooms) if players else level
    unseen = {*MARGIN_PARTS, *(PLAYER_HIDDEN_PARTS if players else ())}.difference(table.normalise_parts(show)).union(
        table.normalise_parts(hide)
    )
    return table.render_picture(
        seen,
        choose_style(style, players=players),
        cell=cell,
        show=show,
        hide=sorted(unseen),
        margin=0,
        tileset=tileset,
    )


def encode_image(image: Image.Image, encoding: str = "png", origin: str = "") -> bytes:
    """The picture as the bytes of a file. PNG files can hold the provenance of their level."""
    if encoding not in ENCODINGS:
        raise unknown_name_error("kind of picture", str(encoding), ENCODINGS)
    file = io.BytesIO()
    if encoding == "webp":
        image.save(file, "WEBP", quality=90, method=4)
        return file.getvalue()
    from PIL.PngImagePlugin import PngInfo

    notes = PngInfo()
    if origin:
        notes.add_itxt(ORIGIN_KEY, origin)
    image.save(file, "PNG", pnginfo=notes)
    return file.getvalue()


def dump_gm(level: Level, *, cell: int | None = None, **options: Any) -> bytes:
    """The picture for the game master, as PNG."""
    image = render_map(level, players=False, cell=fit_cell_pixels(level, cell), **options)
    return encode_image(image, origin=format_origin(level) if level.provenance else "")


def dump_player(level: Level, *, cell: int | None = None, **options: Any) -> bytes:
    """The picture for the players, as PNG. It holds no provenance, because that would reveal the whole level."""
    return encode_image(render_map(level, players=True, cell=fit_cell_pixels(level, cell), **options))


def read_origin(data: bytes, file: str) -> Mapping[str, Any]:
    """The provenance of the level in a game master's picture."""
    return png.read_origin(data, file)
