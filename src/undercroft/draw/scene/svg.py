"""Write scenes as SVG: short paths of integers, and no external resources."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from itertools import groupby
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from undercroft.draw.scene.scene import Points, Scene, Shape

FORBIDDEN_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow."""
Kind = TypeVar("Kind", bound=np.generic)
UNITS_PER_CELL = 100
"""The units that a cell is divided into for coordinates: at 24 pixels a cell, one is a quarter of a pixel."""
MIN_SHARED_POINTS = 60
"""The points that lines need to get an id when they are used twice."""
MAX_MISS_UNITS = 0.45
"""Units by which a line may miss a point that was dropped."""


def svg(
    scene: Scene, cell: float, *, items: Sequence[Shape] | None = None, ground: bool = True, units: int = UNITS_PER_CELL
) -> bytes:
    """The scene as an SVG file at `cell` pixels a cell; or some of its shapes without the ground, to lay over a
    picture.

    >>> from undercroft.draw.scene.scene import rectangle
    >>> scene = Scene(2, 1, "#ffffff")
    >>> scene.fill_area([rectangle(0, 0, 1, 1)], "#000000")
    >>> print(svg(scene, 10).decode(), end="")
    <svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" viewBox="0 0 200 100">
    <rect width="100%" height="100%" fill="#ffffff"/>
    <path fill-rule="evenodd" d="m0 0 100 0 0 100-100 0z" fill="#000000"/>
    </svg>
    """
    shapes = scene.list_vector_shapes() if items is None else items
    size = f'width="{_format_number(scene.width * cell)}" height="{_format_number(scene.height * cell)}"'
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {_format_number(scene.width * units)} '
            f'{_format_number(scene.height * units)}">'
        )
    ]
    if ground:
        if "title" in scene.notes:
            parts.append(f"<title>{_escape_text(scene.notes['title'])}</title>")
        if "undercroft" in scene.notes:
            parts.append(f"<metadata>{_escape_text(scene.notes['undercroft'])}</metadata>")
        parts.append(f'<rect width="100%" height="100%" fill="{scene.ground}"/>')
    clips = {name: scene.clips[name] for name in dict.fromkeys(shape.clip for shape in shapes if shape.clip)}
    shared = _find_shared_lines(shapes, clips.values())
    if shared:
        parts[0] = parts[0].replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ')
    if shared or clips:
        parts.append("<defs>")
        parts += [
            f'<path id="{name}" d="{format_path(lines, units, scene, closed=closed)}"/>'
            for (_, closed), (name, lines) in shared.items()
        ]
        for name, lines in clips.items():
            parts.append(
                f'<clipPath id="{name}"><{_path_element(lines, True, scene, units, shared, "clip")}/></clipPath>'
            )
        parts.append("</defs>")
    # a renderer masks each group, so fewer groups render faster
    for clip, run in groupby(shapes, key=lambda shape: shape.clip):
        drawn = [
            (
                f"<{_path_element(shape.lines, shape.closed, scene, units, shared, 'fill' if shape.fill else '')} "
                f"{_paint_attributes(shape, units)}/>"
            )
            for shape in run
        ]
        parts += [f'<g clip-path="url(#{clip})">', *drawn, "</g>"] if clip else drawn
    return ("\n".join(parts) + "\n</svg>\n").encode()


Shared = dict[tuple[tuple[int, ...], bool], tuple[str, Sequence[Points]]]


def _lines_key(lines: Sequence[Points], closed: bool) -> tuple[tuple[int, ...], bool]:
    return tuple(map(id, lines)), closed


def _find_shared_lines(shapes: Sequence[Shape], clips: Iterable[Sequence[Points]]) -> Shared:
    """Long lines that are used more than once, with an id for each: walls are filled, stroked and used as clips."""
    seen: dict[tuple[tuple[int, ...], bool], Sequence[Points]] = {}
    found: Shared = {}
    for lines, closed in (*((shape.lines, shape.closed) for shape in shapes), *((lines, True) for lines in clips)):
        key = _lines_key(lines, closed)
        if key in seen and key not in found and sum(map(len, lines)) > MIN_SHARED_POINTS:
            found[key] = (f"lines{len(found) + 1}", lines)
        seen[key] = lines
    return found


def _path_element(lines: Sequence[Points], closed: bool, scene: Scene, units: int, shared: Shared, rule: str) -> str:
    """The lines of a shape as a path, or a reference to their shared path."""
    words = f' {rule}-rule="evenodd"' if rule else ""
    known = shared.get(_lines_key(lines, closed))
    return (
        f'use xlink:href="#{known[0]}"{words}'
        if known
        else f'path{words} d="{format_path(lines, units, scene, closed=closed)}"'
    )


def _paint_attributes(shape: Shape, units: int) -> str:
    """The attributes that paint a shape."""
    words = [f'fill="{shape.fill or "none"}"']
    if shape.stroke:
        words.append(
            f'stroke="{shape.stroke}" stroke-width="{_format_number(shape.width * units)}" stroke-linejoin="round"'
        )
        if shape.cap == "round":
            words.append('stroke-linecap="round"')
        if shape.dash:
            words.append(f'stroke-dasharray="{" ".join(_format_number(length * units) for length in shape.dash)}"')
    if shape.opacity < 1:  # set on the fill or the stroke alone, which needs no extra layer
        kind = "" if shape.fill and shape.stroke else "fill-" if shape.fill else "stroke-"
        words.append(f'{kind}opacity="{_format_number(shape.opacity, 3)}"')
    if shape.crisp:
        words.append('shape-rendering="crispEdges"')
    return " ".join(words)


def format_path(lines: Iterable[Points], units: int, scene: Scene, *, closed: bool) -> str:
    """Lines as the data of a path: the first point is absolute, all others are relative to the one before."""
    points, sizes = simplify_lines(
        [line for line in lines if len(line)], closed, units, (scene.left * units, scene.top * units)
    )
    if not len(sizes):
        return ""
    ends = np.cumsum(sizes)
    firsts = ends - sizes
    steps = np.diff(points, axis=0, prepend=0)
    if closed:
        steps[firsts[1:]] = points[firsts[1:]] - points[firsts[:-1]]
    words = list(map(str, steps.reshape(-1).tolist()))
    close = "z" if closed else ""
    ranges = zip((2 * firsts).tolist(), (2 * ends).tolist(), strict=True)
    parts = [f"{' '.join(words[first:end])}{' 0 0' if end == first + 2 else ''}{close}" for first, end in ranges]
    data = "m".join(parts).replace(" -", "-")  # after m, further numbers are line segments
    return f"m{data}"


def simplified(line: Points, closed: bool) -> NDArray[np.int64]:
    """A line in integers, without points whose removal moves it less than is visible.

    >>> simplified(np.array([[0, 0], [5, 0.2], [10, 0], [10, 10.0]]), closed=False).tolist()
    [[0, 0], [10, 0], [10, 10]]
    """
    return simplify_lines([line] if len(line) else [], closed, 1, (0, 0))[0]


def simplify_lines(
    lines: Sequence[Points], closed: bool, units: float, moved: tuple[float, float]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The remaining points of some lines, one line after the other, and the number of points of each."""
    if not lines:
        return np.zeros((0, 2), np.int64), np.zeros(0, np.int64)
    points = np.concatenate(lines) * units + moved
    sizes = np.array([len(line) for line in lines])
    for shift in (0, 1, 0, 1):  # at most every other point, so that a slow bend is not flattened
        long = sizes >= 4 + closed
        if not long.any():
            break
        place = np.arange(len(points)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        inner = (
            np.repeat(long, sizes) & (place > 0) & (place < np.repeat(sizes, sizes) - 1) & ((place - shift) % 2 == 0)
        )
        at = np.flatnonzero(inner)
        before, here, after = points[at - 1], points[at], points[at + 1]
        chord = after - before
        length = np.hypot(chord[:, 0], chord[:, 1])
        off = np.abs(chord[:, 0] * (here[:, 1] - before[:, 1]) - chord[:, 1] * (here[:, 0] - before[:, 0]))
        along = ((here - before) * chord).sum(axis=1)
        inner[at] = (off <= MAX_MISS_UNITS * length) & (along > 0) & (along < length * length)
        points, sizes = _drop_points(points, sizes, inner)
    whole: NDArray[np.int64] = np.rint(points).astype(np.int64)
    lasts = np.cumsum(sizes) - 1
    firsts = lasts - sizes + 1
    same = np.zeros(len(whole), bool)
    same[1:] = (whole[1:] == whole[:-1]).all(axis=1)
    same[firsts] = False
    if closed:
        same[lasts] |= (whole[lasts] == whole[firsts]).all(axis=1) & (sizes > 1)
    return _drop_points(whole, sizes, same)


def _drop_points(
    points: NDArray[Kind], sizes: NDArray[np.int64], needless: NDArray[np.bool_]
) -> tuple[NDArray[Kind], NDArray[np.int64]]:
    return points[~needless], np.add.reduceat(~needless, np.cumsum(sizes) - sizes, dtype=np.int64)


def _escape_text(text: str) -> str:
    """A text escaped for XML; characters that XML forbids become the replacement character."""
    return escape(FORBIDDEN_IN_XML.sub("\N{REPLACEMENT CHARACTER}", text), quote=False)


def _format_number(value: float, places: int = 2) -> str:
    """A number without superfluous digits.

    >>> _format_number(3.0), _format_number(0.125), _format_number(2.5)
    ('3', '0.12', '2.5')
    """
    return f"{value:.{places}f}".rstrip("0").rstrip(".")
