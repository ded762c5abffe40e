"""The marks of an ink drawing over the floor: hachures of pits, numbers and names, the path, the graph."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.pen import noise
from undercroft.draw.pen.free_space import CellRect, cut_lines
from undercroft.draw.pen.wobble import subdivide_lines
from undercroft.draw.scene.lettering import text_outlines
from undercroft.draw.scene.scene import Points, Scene, circle
from undercroft.draw.view import graph_lines
from undercroft.draw.view.label_outlines import draw_lead_lines, list_text_boxes, outline_names, outline_numbers
from undercroft.draw.view.level_view import LevelView, RoomLabel
from undercroft.draw.view.room_names import place_names
from undercroft.draw.view.symbols import Inks, Sign, draw_signs, place_sign
from undercroft.draw.view.thing_symbols import room_sign

INK, FLOOR, TONE, RED = "#1d1916", "#fffdf7", "#ded6c3", "#a5321c"
LINK_COLOURS = {"open": "#6b97ad", "door": INK, "locked": RED, "secret": "#7d5ba6", "one-way": "#b07d1a"}
"""The colours of links by kind."""


def pit_hachures(brinks: Sequence[Points], seed: int) -> list[Points]:
    """Short strokes from the edge of a pit inwards, which is to the right of its outline."""
    found = []
    for line in subdivide_lines(brinks, 0.14, closed=True):
        step = np.roll(line, -1, axis=0) - line
        length = np.maximum(np.hypot(step[:, 0], step[:, 1]), 1e-9)
        inwards = np.stack([-step[:, 1], step[:, 0]], axis=1) / length[:, None]
        place = np.round(line * 100).astype(np.int64)
        far = 0.10 + 0.22 * noise.hash_noise(place[:, 0], place[:, 1], seed + 7)
        found.append(np.stack([line + inwards * 0.03, line + inwards * far[:, None]], axis=1))
    return list(np.concatenate(found)) if found else []


def narrow_passages(cells: NDArray[np.bool_], soft: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Built passages one square wide, where stones would block the passage."""
    framed = np.pad(cells, 1).astype(np.int32)
    around = sum(
        framed[1 + dy : framed.shape[0] - 1 + dy, 1 + dx : framed.shape[1] - 1 + dx]
        for dy in (-1, 0, 1)
        for dx in (-1, 0, 1)
    )
    few: NDArray[np.bool_] = (around < 5) & ~soft
    return few


def draw_overlays(scene: Scene, plan: LevelView, shown: frozenset[str]) -> None:
    """Draw the path from start to end, and the graph."""
    if "path" in shown and len(plan.smooth_path) > 1:
        way = _way_between_stairs(plan)
        scene.stroke([way], FLOOR, 0.3, opacity=0.6)
        scene.stroke([way], RED, 0.13, dash=(0.42, 0.3))
        scene.fill_area([_arrow_head(way)], RED)
    if "graph" in shown:
        names = place_names(plan, "italic") if "names" in shown else []
        _draw_graph(scene, plan, list_text_boxes(plan, names, "italic"))


def _way_between_stairs(plan: LevelView) -> Points:
    """The path without the parts that would cover stairs; the whole path if little else is left."""
    way = plan.smooth_path
    free = np.ones(len(way), bool)
    for stair in plan.stairs:
        free &= np.hypot(way[:, 0] - stair.middle[0], way[:, 1] - stair.middle[1]) > 0.6 * stair.size
    first = int(np.argmax(free))
    last = len(way) - int(np.argmax(free[::-1]))
    return way[first:last] if last - first > 2 and free.any() else way


def _arrow_head(way: Points) -> Points:
    """The head of an arrow at the end of a path."""
    along = way[-1] - way[max(0, len(way) - 3)]
    along = along / max(float(np.hypot(*along)), 1e-9)
    across = np.array([-along[1], along[0]])
    return np.array(
        [
            way[-1] + along * 0.25,
            way[-1] - along * 0.3 + across * 0.3,
            way[-1] - along * 0.15,
            way[-1] - along * 0.3 - across * 0.3,
        ]
    )


def _draw_graph(scene: Scene, plan: LevelView, boxes: Sequence[CellRect]) -> None:
    """Draw the graph; its lines leave out the boxes of texts."""
    graph, at = plan.level.graph, graph_lines.node_points(plan.level)
    for kind, colour in LINK_COLOURS.items():
        lines = [
            graph_lines.link_line(graph, link, at) for link in graph.links if link.kind == kind and link.a and link.b
        ]
        pieces = cut_lines(lines, boxes)
        scene.stroke(pieces, FLOOR, 0.26, opacity=0.7)
        scene.stroke(pieces, colour, 0.1, dash=(0.3, 0.25) if kind == "secret" else ())
        if kind == "one-way":
            scene.stroke([graph_lines.arrow_strokes(line) for line in lines], colour, 0.1)
    rooms = {region.label: number for number, region in enumerate(plan.level.rooms, 1)}
    nodes = [label for label in graph.nodes if label in rooms or graph.degree(label)]
    discs = [circle(float(at[label, 0]), float(at[label, 1]), 0.75 if label in rooms else 0.17, 24) for label in nodes]
    scene.fill_area(discs, FLOOR, stroke=INK, width=0.07)
    texts: list[Points] = []
    for label, number in rooms.items():
        texts += text_outlines(str(number), at[label, 0], at[label, 1] + 0.28, 0.82, "figures", anchor=0.5)
    scene.fill_area(texts, INK)


def draw_labels(scene: Scene, plan: LevelView, shown: frozenset[str]) -> None:
    """Draw names if they are shown and fit, else numbers; special rooms have their sign."""
    if not {"numbers", "names"} & shown:
        return
    names = place_names(plan, "italic") if "names" in shown else []
    texts = outline_names(scene, names, "italic")
    done = {name.label.label for name in names}
    signs: list[Sign] = []
    rest: list[RoomLabel] = []
    for label in plan.labels:
        if label.label in done or "graph" in shown:
            continue
        if label.room_sign:
            signs.append(place_sign(room_sign(label.room_sign), label.x - 0.62, label.y, size=1.1))
        rest.append(label._replace(x=label.x + 0.62) if label.room_sign else label)
    draw_lead_lines(scene, rest, INK, FLOOR)
    texts += outline_numbers(scene, rest)
    scene.stroke(texts, FLOOR, 0.22, closed=True)
    scene.fill_area(texts, INK)
    draw_signs(scene, signs, Inks(INK, FLOOR, TONE))
