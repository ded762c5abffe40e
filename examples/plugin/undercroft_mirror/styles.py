"""A style: outlines on a board."""

from __future__ import annotations

from undercroft import Level
from undercroft.draw.scene.scene import Scene
from undercroft.draw.styles.table import Style
from undercroft.draw.view.level_view import LevelView


def render_scene(level: Level, shown: frozenset[str], margin: float | None = None) -> Scene:
    """The outlines of the map, and the way from start to end.

    >>> render_scene(Level.parse("#..#"), frozenset()).width
    6.0
    """
    edge = 1.0 if margin is None else margin
    view = LevelView(level, "secrets" in shown, shown)
    scene = Scene(level.width + 2 * edge, level.height + 2 * edge, "#20302a", left=edge, top=edge)
    scene.stroke(view.wall_outlines, "#f0efe8", 0.12, closed=True)
    if "path" in shown and len(level.path) > 1:
        scene.stroke([view.smooth_path], "#e8d27a", 0.2)
    return scene


LACKS = ("grid", "numbers", "names", "legend", "title", "scale", "regions", "graph", "heat", "things", "measures")
CHALK = Style("chalk", "white outlines on a board", ("path", "secrets"), lacks=LACKS, render_scene=render_scene)
