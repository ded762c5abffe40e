"""The pictures of the pages: one for each line of the table."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

import undercroft as uc
from undercroft.draw.film.animation import animation, detect_animation_kind

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
COLOURS = 256
"""Of a small picture."""
BESIDE = ("title", "legend", "measures")
"""What small pictures leave out."""


class Picture(NamedTuple):
    """A level to draw: its file name, its recipe (a name, or a file in `examples/`), and what else `generate` needs.
    Rules are animated.

    Instead of a recipe, `scale NAME` is the sheet of a layout of ours, or of them all (`any`) at a size, `side NAME` a
    dungeon from the side, and `measure NAME X Y` the range of a recipe by two measures, over all seeds up to the one
    given. `profile NAME` is where a recipe spends its time, by numbers that were measured once: `PROFILED`.
    """

    name: str
    recipe: str
    seed: int | str
    cell: int
    size: tuple[int, int] | None = None
    params: dict[str, Any] | None = None
    small: bool = False
    """Whether the file has few colours, so that a page can show many of them."""
    format: str | None = None
    """The format, if the suffix does not say it."""


PICTURES = (
    Picture("barrow-side.png", "side barrow", 7, 4),
    Picture("old-cave.png", "examples/old-cave.toml", 5, 14),
    Picture("priory.png", "examples/priory.toml", 5, 14),
    Picture("labyrinth.png", "examples/labyrinth.toml", 5, 14),
    Picture("how-tinykeep.webp", "tinykeep", 2, 7),
    Picture("warren.webp", "examples/warren.rules", 4, 10, (65, 37)),
    Picture("cave.png", "cave", 7, 8, (80, 50), small=True),
    Picture("rooms-and-mazes.png", "rooms-and-mazes", 3, 8, (81, 51), small=True),
    Picture("bsp.png", "bsp", 2, 8, (80, 50), small=True),
    Picture("cozy.png", "cozy", 5, 8, small=True),
    Picture("tinykeep.png", "tinykeep", 2, 8, small=True),
    Picture("dungeoning.png", "dungeoning", 3, 8, small=True),
    Picture("diablo2.png", "diablo2", 3, 8, small=True),
    Picture("diablo3.png", "diablo3", 3, 5, small=True),
    Picture("galak-z.png", "galak-z", 3, 8, small=True),
    Picture("walk.png", "walk", 2, 8, small=True),
    Picture("maze.png", "maze", 3, 8, (81, 51), small=True),
    Picture("isaac.png", "isaac", 4, 8, (81, 51), {"level": 5}, small=True),
    Picture("neighbours.png", "neighbours", 5, 8, (81, 51), {"level": 5}, small=True),
    Picture("drunkard.png", "drunkard", 7, 8, (81, 51), {"level": 5}, small=True),
    Picture("grammar.png", "grammar", 6, 8, (80, 50), {"steps": 400}, small=True),
    Picture("templates.png", "templates", 5, 7, (96, 60), {"attempts": 0, "corners": 60, "middles": 12}, small=True),
    Picture("drowned-keep.png", "examples/drowned-keep.toml", 3, 8, small=True),
    Picture("ossuary.png", "examples/ossuary.toml", 4, 8, small=True),
    Picture("smugglers-cave.png", "examples/smugglers-cave.toml", 1, 8, small=True),
    Picture("garrison.png", "examples/garrison.toml", 1, 8, small=True),
    Picture("catacombs.png", "examples/catacombs.toml", 3, 8, small=True),
    Picture("comet.png", "examples/comet.toml", 3, 8, small=True),
    Picture("hedge-maze.png", "examples/hedge-maze.toml", 4, 8, small=True),
    Picture("glades.png", "examples/glades.toml", 4, 8, small=True),
    Picture("fire-halls.png", "examples/fire-halls.toml", 8, 8, small=True),
    Picture("locked-keep.png", "examples/locked-keep.toml", 5, 8, small=True),
    Picture("layouts.png", "scale any", 0, 0, (16, 14), small=True),
    Picture("layout-throne.png", "scale throne", 0, 0, small=True),
    Picture("expressive-range.png", "measure cave path_length density", 999, 0, small=True),
    Picture("profile.png", "profile cave", 199, 0, (80, 50), small=True),
    Picture("graph.png", "rooms-and-mazes", 4, 16, (49, 25), small=True, format="png:graph"),
)
"""Every named recipe has one of its name, for the pages of the methods."""


def draw() -> list[Path]:
    """Draw them all; the files written."""
    FOLDER.mkdir(exist_ok=True)
    return [_draw_picture(picture) for picture in PICTURES]


def _draw_picture(picture: Picture) -> Path:
    path = FOLDER / picture.name
    if picture.recipe.endswith(".rules"):
        path.write_bytes(_animated(picture))
        return path
    if picture.recipe.startswith("side "):
        dungeon = uc.Dungeon.generate(picture.recipe.removeprefix("side "), seed=picture.seed, size=picture.size)
        dungeon.save(path, "png:side", cell=picture.cell)
        return path
    if picture.recipe.startswith(("scale ", "measure ", "profile ")):
        kind = picture.recipe.split()[0]
        image = {"scale": _sheet, "measure": _range, "profile": _profile}[kind](picture)
        # of thin lines, the first keeps the ground as it is
        choice = Image.Quantize.MEDIANCUT if kind == "profile" else Image.Quantize.MAXCOVERAGE
        image.quantize(COLOURS, choice, dither=Image.Dither.NONE).save(path, optimize=True)
        return path
    recipe = ROOT / picture.recipe if picture.recipe.endswith(".toml") else picture.recipe
    if picture.name.endswith(".webp"):
        timeline = uc.Timeline()
        level = uc.generate(recipe, seed=picture.seed, size=picture.size, params=picture.params, watcher=timeline)
        path.write_bytes(animation(timeline, level, detect_animation_kind(picture.name), cell=picture.cell).data)
        return path
    level = uc.generate(recipe, seed=picture.seed, size=picture.size, params=picture.params)
    level.save(
        path, picture.format, cell=picture.cell, **({"hide": BESIDE} if picture.small and not picture.format else {})
    )
    if picture.small:
        with Image.open(path) as image:
            few = image.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE)
        few.save(path, optimize=True)
    return path


def _sheet(picture: Picture) -> Image.Image:
    """What `undercroft scale --sheet` draws."""
    from undercroft.cli.options.layouts import resolve_layouts
    from undercroft.draw.sheets import layout_sheet

    found = resolve_layouts(picture.recipe.removeprefix("scale "))
    if found.pool is None:
        return layout_sheet.render_size_sheet(found.layouts[0])
    return layout_sheet.render_comparison(found.layouts, picture.size, leniency=2, title="Layouts that come along")


def _range(picture: Picture) -> Image.Image:
    """What `undercroft measure --plot` draws."""
    from undercroft.bulk.measure.expressive_range import build_expressive_range, render_range_file
    from undercroft.bulk.measure.measure_recipe import Measuring

    _, recipe, x, y = picture.recipe.split()
    measured = Measuring(recipe, range(int(picture.seed) + 1), (x, y), size=picture.size, params=picture.params)
    for _row in measured:
        pass
    found = build_expressive_range([measured], x, y)
    assert found is not None
    with Image.open(
        io.BytesIO(
            render_range_file(
                [measured],
                found,
                "range.png",
                f"undercroft measure {recipe} --seeds 0..{picture.seed} --x {x} --y {y} --plot range.png",
            )
        )
    ) as image:
        return image.convert("RGB")


PROFILED: dict[str, tuple[float, ...]] = {
    "noise": (15.7, 24.4, 43.7, 129.0),
    "automaton": (49.9, 74.8, 117.0, 260.0),
    "join": (29.5, 71.2, 194.0, 736.0),
    "survey": (38.5, 58.0, 89.4, 356.0),
    "ends": (21.1, 30.8, 51.7, 150.0),
    "overhead": (63.3, 85.2, 82.6, 121.0),
}
"""Microseconds of a cave of 40x25, 80x50, 160x100 and 320x200: the quickest of fourteen runs on one machine, the one
that docs/profiling.md shows.
"""


def _profile(picture: Picture) -> Image.Image:
    """What `undercroft profile --plot` drew on that machine."""
    from undercroft.draw.plots.profile_plot import Growth, GrowthLine, render_profile_plot

    wide, high = picture.size or (80, 50)
    sizes = [(round(wide * times), round(high * times)) for times in (0.5, 1, 2, 4)]
    lines = [
        GrowthLine(name, tuple(number * 1e-6 for number in numbers), math.log(numbers[3] / numbers[2], 4))
        for name, numbers in (*PROFILED.items(), ("all", tuple(map(sum, zip(*PROFILED.values(), strict=True)))))
    ]
    *steps, overhead, whole = lines
    about = (
        f"{1 / whole.seconds[1]:,.0f} levels of {wide}x{high} a second on one core · one attempt a level · both "
        "scales are logarithms"
    )
    command = f"undercroft profile cave --size {wide}x{high} --seeds 0..{picture.seed} --plot profile.png"
    return render_profile_plot("Where “cave” spends its time", about, Growth(sizes, 1, steps, overhead, whole), command)


def _animated(picture: Picture) -> bytes:
    """How rules fill an empty map."""
    rules, timeline = uc.Rules.load(ROOT / picture.recipe), uc.Timeline()
    width, height = picture.size or (60, 30)
    level = rules.apply(
        uc.Level(np.zeros((height, width), np.uint8), rules.program.palette), picture.seed, watcher=timeline
    )
    return animation(timeline, level.palette, detect_animation_kind(picture.name), cell=picture.cell).data
