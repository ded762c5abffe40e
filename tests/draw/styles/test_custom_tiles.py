"""Tiles with a colour of their own: every style shows it, the legend names it, and distances give way to it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from support.custom_palettes import (
    GLYPHS,
    VIVID,
    custom_palettes,
    custom_tile,
    every_role,
    patchwork,
    uncoloured,
    with_custom,
)
from support.maps import HEAVY
from undercroft.analysis.regions.infer_regions import add_regions
from undercroft.core.custom_tiles import has_own_colour
from undercroft.core.level import Level
from undercroft.core.palette import STANDARD, Palette
from undercroft.draw.pen import noise
from undercroft.draw.plots.thumbnail import render_thumbnail
from undercroft.draw.scene.colour import rgb
from undercroft.draw.sheets.card_map import render_card_map
from undercroft.draw.styles.blueprint.legend import list_entries as list_blueprint_entries
from undercroft.draw.styles.dark import dark
from undercroft.draw.styles.graph_picture import render_graph_picture
from undercroft.draw.styles.printed.patterns import PATTERNS, pattern_lines
from undercroft.draw.styles.table import STYLES, render_picture, render_vector, resolve_parts
from undercroft.draw.terminal import render_coloured
from undercroft.draw.view.legend import MAX_TILE_SWATCHES, list_legend_entries
from undercroft.draw.view.level_view import LevelView

CELL = 9
PARTS = frozenset({"secrets", "things"})
MEADOW = with_custom(
    custom_tile("grass", "floor", "g", "#6fae4a"),
    custom_tile("bridge", "floor", "=", "#9a6a3a"),
    custom_tile("lava", "pit", "!", "#e8541e"),
)
DRAWN = Level.parse(
    """
    ################
    #<ggggg+.......#
    #gggggg#.!!!!!.#
    #gggggg#.!!!!!.#
    #gggggg#.=====.#
    #ggggo.#.!!!!!.#
    #......+......>#
    ################
    """,
    MEADOW,
)


def picture(level: Level, style: str, **options: object) -> NDArray[np.int64]:
    """Exactly the map, without labels."""
    given = {"cell": CELL, "margin": 0, "hide": ["numbers", "names", "path", "grid"]} | options
    return np.asarray(render_picture(level, style, **given).convert("RGB")).astype(np.int64)  # type: ignore[arg-type]


def mean_colour(image: NDArray[np.int64], cells: NDArray[np.bool_], cell: int = CELL) -> NDArray[np.float64]:
    """The mean colour of some cells of a picture that is exactly the map."""
    mask = cells.repeat(cell, axis=0).repeat(cell, axis=1)
    assert mask.shape == image.shape[:2]
    found: NDArray[np.float64] = image[mask].mean(axis=0)
    return found


def assert_shows_colours(palette: Palette, style: str) -> None:
    """Each tile's own colour changes the mean of its cells, and moves it towards that colour."""
    level, patches = patchwork(palette)
    with_colours, without = (picture(each, style) for each in (level, Level(level.tiles, uncoloured(palette))))
    for code, cells in patches.items():
        tile = palette.tiles[code]
        if not has_own_colour(tile):
            continue
        old, new = mean_colour(without, cells), mean_colour(with_colours, cells)
        moved, wanted = new - old, np.array(rgb(tile.colour)) - old
        assert np.hypot.reduce(moved) > 2.0, (style, tile)
        if style != "print":
            assert float(moved @ wanted) > 0, (style, tile, old, new)


@pytest.mark.parametrize("style", STYLES)
def test_the_colour_of_every_role_reaches_every_style(style: str) -> None:
    assert_shows_colours(every_role(), style)


@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=2)
@given(palette=custom_palettes(most=12, vivid=True))
def test_random_palettes_reach_every_style(style: str, palette: Palette) -> None:
    assert_shows_colours(palette, style)


@pytest.mark.long
@pytest.mark.parametrize("style", STYLES)
@settings(max_examples=20 if HEAVY else 3)
@given(palette=custom_palettes())
def test_any_palette_can_be_drawn(style: str, palette: Palette) -> None:
    """Any names, roles, colours; large and small, and with everything shown."""
    level, _ = patchwork(palette)
    render_picture(level, style, cell=6)
    render_picture(level, style, cell=2, hide=["secrets"])
    if STYLES[style].vector:
        render_vector(level, style, show=["legend", "names"])


@pytest.mark.parametrize("style", STYLES)
def test_any_names_can_be_drawn(style: str) -> None:
    names = ["漢字 の 床", "a" * 500, "\N{SKULL}", "<b>&", "door frame", "water 2", "pit 2", "stairs"]
    palette = with_custom(
        *(custom_tile(name, "floor", GLYPHS[place], VIVID[place]) for place, name in enumerate(names))
    )
    render_picture(patchwork(palette)[0], style, cell=8)


def test_the_legend_names_tiles_and_shows_their_colours() -> None:
    plan = LevelView(DRAWN, shown=PARTS)
    found = list_legend_entries(plan, PARTS)
    own = [entry for entry in found if entry.custom]
    assert [entry.word for entry in own] == ["grass", "bridge", "lava"]
    assert [entry.sign[0].fill for entry in own] == ["#6fae4a", "#9a6a3a", "#e8541e"]
    assert "pit" not in [entry.word for entry in found]  # all pits are lava


def test_a_tile_that_is_not_on_the_map_is_not_in_the_legend() -> None:
    bare = Level.parse("#<..>#", MEADOW)
    assert [entry.word for entry in list_legend_entries(LevelView(bare), PARTS)] == ["stairs up", "stairs down"]


def test_a_legend_has_room_for_many_tiles_and_counts_the_rest() -> None:
    palette = with_custom(
        *(custom_tile(f"t{code}", "floor", chr(0x4E00 + code), f"#{code:02x}80ff") for code in range(40))
    )
    words = [entry.word for entry in list_legend_entries(LevelView(patchwork(palette)[0]), PARTS) if entry.custom]
    assert words[:2] == ["t0", "t1"]
    assert words[-1] == f"and {40 - MAX_TILE_SWATCHES} more tiles"
    assert len(words) == MAX_TILE_SWATCHES + 1


def test_a_tile_called_like_a_sign_keeps_its_swatch() -> None:
    """Blueprints draw pits in a form of their own, but not a floor with that name."""
    tiles = [*(tile for tile in STANDARD.tiles if tile.role != "pit"), custom_tile("pit", "floor", "一", "#e8541e")]
    level = Level.parse("#..一一.#", Palette(tiles))
    [entry] = [entry for entry in list_blueprint_entries(LevelView(level), PARTS) if entry.custom]
    assert (entry.word, len(entry.sign)) == ("PIT", 1)


@pytest.mark.parametrize("style", ["dark", "ink", "blueprint", "print", "parchment"])
def test_the_legend_is_drawn(style: str) -> None:
    """With a legend, and without custom tiles in it, the page differs."""
    pages = [render_vector(level, style, show=["legend"]) for level in (DRAWN, Level(DRAWN.tiles, uncoloured(MEADOW)))]
    assert len(pages[0].items) > len(pages[1].items)


def test_own_colours_are_shown_instead_of_distances() -> None:
    assert "heat" in resolve_parts("dark")
    assert "heat" not in resolve_parts("dark", level=DRAWN)
    assert "heat" in resolve_parts("dark", ["heat"], level=DRAWN)
    assert "heat" in resolve_parts("dark", level=Level(DRAWN.tiles, uncoloured(MEADOW)))
    assert resolve_parts("ink", level=DRAWN) == resolve_parts("ink")
    grass = DRAWN.tiles == MEADOW["grass"]
    shown, asked = picture(DRAWN, "dark"), picture(DRAWN, "dark", show=["heat"])
    wanted = np.array(rgb("#6fae4a")) * (1 - dark.GROUND_DIMMING) + np.array(rgb(dark.PAGE)) * dark.GROUND_DIMMING
    assert abs(mean_colour(shown, grass) - wanted).max() < 20
    assert abs(mean_colour(asked, grass) - wanted).max() > 40


@pytest.mark.parametrize("style", ["dark", "plain"])
@pytest.mark.parametrize("cell", [1, 2, 4])
def test_small_pictures_have_the_colours_too(style: str, cell: int) -> None:
    image = picture(DRAWN, style, cell=cell, hide=["path"])
    grass = (DRAWN.tiles == MEADOW["grass"]) & (np.arange(16) > 1)
    assert (mean_colour(image, grass, cell) == rgb("#6fae4a")).all()


def test_the_graph_stands_over_own_colours() -> None:
    plain = Level(DRAWN.tiles, uncoloured(MEADOW))
    own, other = (
        np.asarray(render_graph_picture(level, cell=8).convert("RGB")).astype(np.int64) for level in (DRAWN, plain)
    )
    green = [int((image[..., 1] > image[..., [0, 2]].max(axis=2) + 8).sum()) for image in (own, other)]
    assert green[0] > 1000 > green[1]


def test_sheets_thumbnails_and_terminals_have_the_colours() -> None:
    assert rgb("#6fae4a") in {
        tuple(pixel) for row in np.asarray(render_card_map(DRAWN, (320, 160), 9)).tolist() for pixel in row
    }
    assert rgb("#e8541e") in {
        tuple(pixel) for row in np.asarray(render_thumbnail(DRAWN, (160, 80))).tolist() for pixel in row
    }
    text = render_coloured(DRAWN)
    for colour in ("#6fae4a", "#e8541e"):
        assert "48;2;{};{};{}m".format(*(part * 4 // 5 for part in rgb(colour))) in text


@pytest.mark.parametrize("style", STYLES)
def test_a_hidden_secret_door_has_the_colour_of_its_wall(style: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A picture without secrets is that of a map with walls in their places, apart from the random detail."""
    monkeypatch.setattr(noise, "picture_seed", lambda level: level.width)
    palette = with_custom(
        custom_tile("hedge", "wall", "T", "#2e5d34"), custom_tile("trapdoor", "secret", "?", "#ff00ff")
    )
    drawn = """
        TTTTTTTTTTT
        T..?....T.#
        T..T....S.#
        T..T....T.#
        TTTTTTTTTTT
    """
    hidden, walls = Level.parse(drawn, palette), Level.parse(drawn.replace("?", "T").replace("S", "T"), palette)
    labels = add_regions(walls).regions
    pictures = [picture(level.replace(regions=labels), style, hide=["secrets", "numbers"]) for level in (hidden, walls)]
    assert (pictures[0] == pictures[1]).all()


def test_pillars_and_stairs_stand_on_the_grass_around_them() -> None:
    image = picture(DRAWN, "plain", cell=11)
    x, y = 5, 5  # a pillar with grass on two sides
    assert tuple(image[y * 11, x * 11]) == rgb("#6fae4a")


def test_patterns_differ() -> None:
    """Twice as many as there are kinds, each in its square."""
    seen = set()
    for number in range(2 * len(PATTERNS)):
        lines = pattern_lines(number)
        points = np.concatenate(lines)
        assert lines
        assert points.min() >= -0.11
        assert points.max() <= 1.11
        seen.add(tuple(line.tobytes() for line in lines))
    assert len(seen) == 2 * len(PATTERNS)


@settings(max_examples=10)
@given(shown=st.sets(st.sampled_from(["heat", "regions", "secrets"])))
def test_distances_and_regions_cover_ground_but_not_pits(shown: set[str]) -> None:
    names = [each.tile.name for each in LevelView(DRAWN, shown=frozenset(shown)).coloured_tiles]
    assert names == (["lava"] if shown & {"heat", "regions"} else ["grass", "bridge", "lava"])
