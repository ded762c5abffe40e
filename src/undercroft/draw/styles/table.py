"""The styles: ways to draw a level as a picture or a vector file.

A style is a module with one of two functions, imported when it is used:

- `render_scene(level, shown, margin) -> Scene`: shapes that become a vector file or a picture;
- `render_picture(level, cell, shown, margin) -> Image`: pixels alone.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from undercroft.analysis.player_view import is_furniture
from undercroft.analysis.regions import infer_regions
from undercroft.analysis.room_grids import is_room_grid
from undercroft.core.custom_tiles import list_coloured_codes
from undercroft.core.level import Level
from undercroft.draw.view.canvas import MAX_CELL_PIXELS, USUAL_CELL_PIXELS, fit_cell_pixels
from undercroft.draw.view.grid_rooms import SQUARES_PER_ROOM
from undercroft.errors import BadInput
from undercroft.inputs.arguments import is_list, require_name
from undercroft.limits import FLAT_PICTURE_PIXELS, PICTURE_MARGIN, PICTURE_PIXELS
from undercroft.plugins.checks import (
    guard,
    require_callable,
    require_text,
    require_type,
    require_words,
)
from undercroft.plugins.provider import Provider
from undercroft.plugins.table import LOWER_CASE_WORDS, PluginTable
from undercroft.wording import format_value_briefly

if TYPE_CHECKING:
    from PIL import Image

    from undercroft.draw.scene.scene import Scene

PICTURE_PARTS = {
    "grid": "lines between the squares",
    "numbers": "the rooms' numbers",
    "names": "the rooms' names, where there is space; else their numbers",
    "legend": "what the signs mean",
    "title": "the level's title, its recipe and seed",
    "scale": "a scale bar and the north",
    "path": "the way from start to end",
    "regions": "each region in a colour of its own",
    "graph": "the graph of rooms and links",
    "heat": "how far each cell is from the start",
    "things": "what is in the rooms besides furniture: monsters, loot, notes, keys, locks",
    "furniture": "what the rooms are furnished with",
    "secrets": "secret doors; without them they are wall",
    "measures": "numbers about the level, beside it",
}
"""The parts that can be shown or hidden."""
TILESET_STYLE = "pixels"
"""The style that can draw with a tileset of the user's own."""
MAX_MARGIN_CELLS = PICTURE_MARGIN.value
"""The old name `WIDEST` leads here."""


class Style(NamedTuple):
    """A style of drawing.

    >>> Style("night", "white on black", ("path",), vector=False, render_picture=print).vector
    False
    """

    name: str
    about: str
    shown: tuple[str, ...]
    """The parts that it shows by default."""
    vector: bool = True
    """Whether it can give a vector file."""
    lacks: tuple[str, ...] = ()
    """The parts that it cannot show."""
    render_scene: Callable[..., Scene] | None = None
    """Takes the level, the shown parts and the margin, returns shapes. Ours have it in their modules."""
    render_picture: Callable[..., Image.Image] | None = None
    """Takes the level, the pixels of a cell, the shown parts and the margin, returns pixels."""


_OWN_STYLES: dict[str, Style] = {
    style.name: style
    for style in (
        Style(
            "dark",
            "tinted by the way from the start, with a glowing path",
            ("grid", "numbers", "legend", "title", "path", "heat", "things", "furniture", "secrets", "measures"),
        ),
        Style(
            "ink",
            "black on paper, hatched rock",
            ("grid", "numbers", "legend", "title", "scale", "things", "furniture", "secrets"),
        ),
        Style(
            "blueprint",
            "white lines on blue, with measures",
            ("grid", "numbers", "legend", "title", "scale", "things", "furniture", "secrets"),
        ),
        Style(
            "parchment",
            "sepia on old paper",
            ("grid", "names", "title", "scale", "path", "things", "furniture", "secrets"),
        ),
        Style(
            "pixels",
            "16-pixel tiles, lit by torches",
            ("things", "furniture", "secrets"),
            vector=False,
            lacks=("scale", "graph", "measures"),
        ),
        Style(
            "print",
            "pure black for paper, one inch a square",
            ("grid", "numbers", "legend", "title", "scale", "things", "furniture", "secrets"),
            lacks=("regions", "heat"),
        ),
        Style(
            "plain",
            "flat colours of the palette",
            ("path", "things", "furniture", "secrets"),
            lacks=("legend", "title", "scale", "graph", "measures"),
        ),
    )
}
STYLE_MODULES = {
    "dark": "undercroft.draw.styles.dark.dark",
    "ink": "undercroft.draw.styles.ink.ink",
    "blueprint": "undercroft.draw.styles.blueprint.blueprint",
    "parchment": "undercroft.draw.styles.parchment.parchment",
    "pixels": "undercroft.draw.styles.pixels.pixels",
    "print": "undercroft.draw.styles.printed.printed",
    "plain": "undercroft.draw.styles.plain.plain",
}
"""The module of each of our styles, imported when it is used."""


def _check_style(part: Any, name: str, provider: Provider) -> Style:
    """A style of another package. Its functions are guarded."""
    require_type(part, Style, "a style")
    style: Style = part
    require_text(style.about, f"about of {name}")
    require_words(style.shown, f"shown of {name}", PICTURE_PARTS)
    require_words(style.lacks, f"lacks of {name}", PICTURE_PARTS)
    if "things" in style.shown and "furniture" not in (*style.shown, *style.lacks):
        style = style._replace(shown=(*style.shown, "furniture"))
    if both := set(style.shown) & set(style.lacks):
        raise TypeError(f"{name} shows {min(both)!r}, and lacks it")
    if style.vector and style.render_scene is None:
        raise TypeError(f"{name} has no render_scene; if it makes pixels alone, say vector=False")
    if not style.vector and style.render_picture is None:
        raise TypeError(f"{name} has no render_picture, and is no vector style")

    def guard_renderer(function: Callable[..., Any] | None, kind: str) -> Callable[..., Any] | None:
        def check_result(value: Any) -> Any:
            if kind not in {base.__name__ for base in type(value).__mro__}:
                raise TypeError(f"it returns {type(value).__name__}, not {kind}")
            return value

        if function is None:
            return None
        require_callable(function, f"a renderer of {name}")
        return guard(function, f"the style {name!r}", provider, check_result)

    return style._replace(
        render_scene=guard_renderer(style.render_scene, "Scene"),
        render_picture=guard_renderer(style.render_picture, "Image"),
    )


STYLES: PluginTable[Style] = PluginTable("style", _OWN_STYLES, _check_style, form=LOWER_CASE_WORDS)
"""Every style by its name; the first is the default, and those of other packages follow ours."""


def render_picture(
    level: Level,
    style: str = "dark",
    *,
    cell: int | None = None,
    show: Iterable[str] = (),
    hide: Iterable[str] = (),
    margin: float | None = None,
    tileset: Any = None,
) -> Image.Image:
    """The level in that style, `cell` pixels a cell. By default the longer side has about 1600 pixels, that of small
    maps about 900.

    `show` and `hide` change which PICTURE_PARTS are drawn besides the style's defaults. `margin` is in cells; 0 gives
    exactly the map, without title, legend and scale. `tileset` is the file of a tileset of the user's own, for the
    style `pixels`.
    """
    parts = resolve_parts(style, show, hide, level)
    if tileset is not None and style != TILESET_STYLE:
        raise BadInput(
            f"the style {style!r} draws no tiles, and takes no tileset", fix=f"take the style {TILESET_STYLE!r}"
        )
    level, parts = select_things(infer_regions.add_regions(level), parts)
    renderers = _resolve_renderers(style)
    by_shapes, squares = STYLES[style].vector, SQUARES_PER_ROOM if is_room_grid(level) else 1
    most, largest = (
        FLAT_PICTURE_PIXELS if style == "plain" else PICTURE_PIXELS,
        MAX_CELL_PIXELS if by_shapes else USUAL_CELL_PIXELS,
    )
    cell = fit_cell_pixels(level.width, level.height, cell, most, largest=largest, squares=squares if by_shapes else 1)
    if (render := getattr(renderers, "render_picture", None)) is not None:
        own = {} if tileset is None else {"tileset": tileset}
        image: Image.Image = render(level, cell, parts, _check_margin(margin), **own)
        return image
    from undercroft.draw.scene.raster import raster

    return raster(renderers.render_scene(level, parts, _check_margin(margin)), cell)


def render_vector(
    level: Level, style: str = "ink", *, show: Iterable[str] = (), hide: Iterable[str] = (), margin: float | None = None
) -> Scene:
    """The level in that style as shapes."""
    parts = resolve_parts(style, show, hide, level)
    if not STYLES[style].vector:
        names = ", ".join(name for name, row in STYLES.items() if row.vector)
        raise BadInput(
            f"the style {style!r} is made of pixels and has no vector form",
            fix=f"save it as PNG, or take one of {names}",
        )
    render_scene = _resolve_renderers(style).render_scene
    level, parts = select_things(infer_regions.add_regions(level), parts)
    scene: Scene = render_scene(level, parts, _check_margin(margin))
    return scene


def select_things(level: Level, parts: frozenset[str]) -> tuple[Level, frozenset[str]]:
    """The level with the things that are shown, and the parts for the drawer, which draws all things or none.

    >>> from undercroft.core.region import Thing
    >>> level = Level.parse("...").replace(things=[Thing("rat", 0, 0), Thing("bed", 1, 0, {"group": "prop"})])
    >>> shown, parts = select_things(level, frozenset({"furniture"}))
    >>> [thing.kind for thing in shown.things], sorted(parts)
    (['bed'], ['things'])
    """
    shown = parts & {"things", "furniture"}
    rest = parts - {"furniture"}
    if len(shown) == 1 and level.things:
        furniture = "furniture" in shown
        level = level.replace(things=[thing for thing in level.things if is_furniture(thing) is furniture])
    return level, rest | {"things"} if shown else rest


def resolve_parts(
    style: str, show: Iterable[str] = (), hide: Iterable[str] = (), level: Level | None = None
) -> frozenset[str]:
    """The parts that are shown in that style after some are added and some removed. If the level has colours of its
    own, they are shown instead of distances, unless these are asked for.

    >>> sorted(resolve_parts("plain", show=["grid"], hide=["path"]))
    ['furniture', 'grid', 'secrets', 'things']
    """
    require_name("style", style, STYLES)
    show, hide = normalise_parts(show), normalise_parts(hide)
    both = set(show) & set(hide)
    if both:
        raise BadInput(f"{min(both)!r} is to be shown and to be hidden", fix="say one of the two")
    usual = frozenset(STYLES[style].shown)
    if level is not None and "heat" in usual and list_coloured_codes(level.tiles, level.palette):
        usual -= {"heat"}
    return usual.union(show).difference(hide)


def _check_margin(margin: float | None) -> float | None:
    if margin is None or (type(margin) in (int, float) and 0 <= margin <= PICTURE_MARGIN.value):
        return margin
    raise BadInput(
        f"a margin is a number of cells from 0 to {PICTURE_MARGIN.value}, not {format_value_briefly(margin)}",
        fix="for example margin=2",
    )


def normalise_parts(given: Any) -> list[str]:
    """The parts of an argument: one name, or several. Raises if there is no such part."""
    parts = list(given) if is_list(given) else [] if isinstance(given, str) and not given else [given]
    for part in parts:
        require_name("part of a picture", part, PICTURE_PARTS)
    return parts


def _resolve_renderers(style: str) -> Any:
    """What has the functions of a style: its module, or the row of a style that is not ours."""
    return importlib.import_module(STYLE_MODULES[style]) if style in STYLE_MODULES else STYLES[style]
