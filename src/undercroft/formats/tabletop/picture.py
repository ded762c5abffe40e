"""Pictures for tabletops: exactly the map, a whole number of pixels a square; one for the game master, one for the
players.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from undercroft.analysis.player_view import for_players
from undercroft.core.level import Level
from undercroft.errors import unknown
from undercroft.formats import png
from undercroft.formats.native.native import text
from undercroft.formats.shared.checked import plain

if TYPE_CHECKING:
    from PIL import Image

STYLE, GM_STYLE = "pixels", "dark"
"""How the players' picture looks unless somebody says otherwise, and the game master's, which has numbers and the way.
"""
LIT = ("pixels",)
"""Styles whose pictures show light and shadow."""
CELL = 70
"""Pixels a square that most tabletops begin with."""
SIDE, AREA = 8192, 20_000_000
"""Pixels of a side, and of a whole picture, that tabletops can be trusted with; more are drawn only if somebody asks
for them.
"""
HIDDEN = ("numbers", "names", "path", "regions", "graph", "heat", "secrets")
"""Parts of a picture that tell players what they would have to find out."""
MARGINAL = ("legend", "title", "scale", "measures")
"""Parts that stand beside the map."""
ENCODINGS = ("png", "webp")


def fitting(level: Level, cell: int | None = None, wish: int = CELL) -> int:
    """Pixels a square: those asked for, else as many as are usual, or fewer if the picture would be too large.

    >>> fitting(Level.drawn("#.#")), fitting(Level.drawn("." * 2000))
    (70, 4)
    """
    if cell is not None:
        from undercroft.draw.view.canvas import check_cell

        check_cell(cell)
        return cell
    while wish > 1 and (level.width * level.height * wish * wish > AREA or max(level.size) * wish > SIDE):
        wish -= 1
    return wish


def styled(style: str, *, players: bool) -> str:
    """The style asked for, else the usual one."""
    return style or (STYLE if players else GM_STYLE)


def picture(
    level: Level, *, players: bool, cell: int, style: str = "", show: Iterable[str] = (), hide: Iterable[str] = ()
) -> Image.Image:
    """The map alone, `cell` pixels a square."""
    from undercroft.draw.styles import table

    seen = for_players(level) if players else level
    unseen = {*MARGINAL, *(HIDDEN if players else ())}.difference(show).union(table.parts_of(hide))
    return table.picture(seen, styled(style, players=players), cell=cell, show=show, hide=sorted(unseen), margin=0)


def encoded(image: Image.Image, encoding: str = "png", origin: str = "") -> bytes:
    """The picture as the bytes of a file. PNG files can tell how their level was made."""
    if encoding not in ENCODINGS:
        raise unknown("kind of picture", str(encoding), ENCODINGS)
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


def told(level: Level) -> str:
    """How the level was made, as the text that files keep; nothing if nobody knows."""
    return text(plain(level.provenance, "provenance")) if level.provenance else ""


def dump_gm(level: Level, *, cell: int | None = None, **options: Any) -> bytes:
    """The picture for the game master, as PNG."""
    return encoded(picture(level, players=False, cell=fitting(level, cell), **options), origin=told(level))


def dump_player(level: Level, *, cell: int | None = None, **options: Any) -> bytes:
    """The picture for the players, as PNG. It does not tell how the level was made, because that would tell
    everything.
    """
    return encoded(picture(level, players=True, cell=fitting(level, cell), **options))


def origin(data: bytes, file: str) -> Mapping[str, Any]:
    """How the level of a game master's picture was made."""
    return png.origin(data, file)
